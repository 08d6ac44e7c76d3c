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

/** Forms that people write without a space before what follows ("LtdATF"). */
export const GLUED_FORMS = "ltd limited inc p/l ptyltd";

/** What begins another part, where people write "the" behind it without a space ("ATFThe"). */
export const GLUED_CONNECTORS = "atf t/a t/as t/f";
