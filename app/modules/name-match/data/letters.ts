/**
 * Blocks of letters by code point, with their script. They contain only letters and accent marks, so most names in
 * other scripts are read without looking up character properties.
 */
export const LETTER_BLOCKS: ReadonlyArray<{
  first: number;
  last: number;
  script: "Latin" | "Cyrillic" | "Greek" | "OtherScript";
}> = [
  { first: 0xac00, last: 0xd7a3, script: "OtherScript" }, // Hangul syllables
  { first: 0x4e00, last: 0x9fff, script: "OtherScript" }, // Chinese
  { first: 0x0400, last: 0x0481, script: "Cyrillic" },
  { first: 0x048a, last: 0x052f, script: "Cyrillic" },
  { first: 0x00c0, last: 0x00d6, script: "Latin" },
  { first: 0x00d8, last: 0x00f6, script: "Latin" },
  { first: 0x00f8, last: 0x02af, script: "Latin" },
  { first: 0x1e00, last: 0x1eff, script: "Latin" },
  { first: 0x0391, last: 0x03a1, script: "Greek" },
  { first: 0x03a3, last: 0x03e1, script: "Greek" },
  { first: 0x05d0, last: 0x05ea, script: "OtherScript" }, // Hebrew
  { first: 0x0620, last: 0x063f, script: "OtherScript" }, // Arabic
  { first: 0x0641, last: 0x064a, script: "OtherScript" },
  { first: 0x0904, last: 0x0939, script: "OtherScript" }, // Devanagari
  { first: 0x1100, last: 0x115e, script: "OtherScript" }, // Hangul jamo, into which the syllables decompose
  { first: 0x1161, last: 0x11ff, script: "OtherScript" },
  { first: 0x3041, last: 0x3096, script: "OtherScript" }, // Japanese
  { first: 0x30a1, last: 0x30fa, script: "OtherScript" },
];

/** Letters that Unicode does not decompose. */
export const PLAIN_LETTERS: Record<string, string> = {
  ß: "ss",
  ø: "o",
  æ: "ae",
  œ: "oe",
  đ: "d",
  ð: "d",
  ł: "l",
  ı: "i",
  þ: "th",
  ħ: "h",
  ŋ: "n",
  ς: "σ",
};

/** Consonants as they usually appear in romanised names; vowels are left out. */
export const ROMANISATIONS = [
  "аa бb вv гg дd еe ёe жzh зz иi йi кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щsh ъ ыi ь эe юu яa іi їi єe ґg ўu ќk ѓg љl њn џd јi",
  "αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξks οo πp ρr σs τt υi φf χkh ψps ωo",
  "اa أa إa آa بb تt ثth جj حh خkh دd ذd رr زz سs شsh صs ضd طt ظz عa غg فf قk كk لl مm نn هh ةa وu يi ىa ئi ؤu ء پp چch ژzh گg کk یi ےe ہh ھh ٹt ڈd ڑr ں",
  "אa בb גg דd הh וv זz חkh טt יi כk ךk לl מm םm נn ןn סs עa פp ףp צts ץts קk רr שsh תt",
  "कk खk गg घg चch छch जj झj टt ठt डd ढd तt थt दd धd नn पp फf बb भb मm यi रr लl वv शsh षsh सs हh अa आa इi ईi उu ऊu एe ऐe ओo औo ाa िi ीi ुu ूu ेe ैe ोo ौo ंn ँn ् ृr णn ञn ङn",
];

/** Romanisation of decomposed Hangul: leading consonants, vowels, final consonants. */
export const HANGUL_LEADS = [
  "g",
  "k",
  "n",
  "d",
  "t",
  "r",
  "m",
  "b",
  "p",
  "s",
  "s",
  "",
  "j",
  "j",
  "ch",
  "k",
  "t",
  "p",
  "h",
];
export const HANGUL_TAILS = " k k k n n n t l k m l l l p l m p p t t ng t t k t p t".split(" ");
