/**
 * Legal forms. Australian abbreviations: Corporations Act 2001 s 149 and Corporations Regulations Schedule 6
 * (Pty = Proprietary, Ltd = Limited, NL = No Liability); foreign forms as registers use them.
 */
export const LEGAL_WORDS = "pty ptyltd proprietary ltd limited inc incorporated unlimited unltd";

/** Forms that are also ordinary letters or words: legal only at the end of a name (or, for some, at its start). */
export const END_FORMS =
  "nl llc llp lp plc gmbh ag sarl bv nv ab oy oyj spa srl kg kgaa ooo oao pao zao jsc ojsc cjsc doo ad kft zrt sro aps asa pl pte bhd sdn kk pt tbk";

/** Forms that some countries put first: "OOO Example", "PT Example". */
export const START_FORMS = "ooo oao pao zao ojsc cjsc jsc pt ao";

/** Kinds of account holder that are not a company: the words that name them. */
export const ENTITY_WORDS = "trust trusts trustee trustees super superannuation smsf fund estate deceased";
export const TRUST_KIND_WORDS = "family unit discretionary hybrid charitable testamentary";

/** One typing error away from "Pty" or "Ltd": taken for it only beside the other half of the form. */
export const FORM_SLIPS =
  "ty=pty py=pty pyt=pty tpy=pty ptty=pty ptyy=pty pry=pty oty=pty ptu=pty pthy=pty prty=pty " +
  "lt=ltd td=ltd ld=ltd ldt=ltd tld=ltd ptd=ltd lttd=ltd ltdd=ltd lts=ltd ltc=ltd itd=ltd lyd=ltd limitd=ltd limted=ltd " +
  "limied=ltd lmited=ltd limitied=ltd";
