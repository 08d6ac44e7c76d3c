// Makes a list of invented names with the right answer for each pair. Always the same list for the same seed; no real
// person or business is in it on purpose.

const pick = (list, random) => list[Math.floor(random() * list.length)];

/** Small deterministic generator (mulberry32). */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const STARTS = [
  "Bel",
  "Cor",
  "Dun",
  "Fen",
  "Gar",
  "Hol",
  "Jar",
  "Kel",
  "Lor",
  "Mar",
  "Nor",
  "Pel",
  "Quin",
  "Ros",
  "Tam",
  "Vor",
];
const MIDDLES = ["a", "be", "di", "fo", "ga", "li", "mo", "ne", "ri", "ta", "vi"];
const ENDS = ["bury", "dale", "field", "gan", "ham", "land", "ley", "mont", "ner", "stead", "ton", "well", "wick"];
const GIVEN = [
  "Alice",
  "Benjamin",
  "Catherine",
  "David",
  "Elizabeth",
  "Frances",
  "George",
  "Hannah",
  "Jonathan",
  "Margaret",
  "Nicholas",
  "Olivia",
  "Patrick",
  "Rebecca",
  "Stephen",
  "Thomas",
];
const SHORT = {
  Benjamin: "Ben",
  Catherine: "Cath",
  David: "Dave",
  Elizabeth: "Liz",
  Jonathan: "Jon",
  Margaret: "Maggie",
  Nicholas: "Nick",
  Patrick: "Pat",
  Rebecca: "Bec",
  Stephen: "Steve",
  Thomas: "Tom",
};
const TRADES = [
  "Plumbing",
  "Electrical",
  "Carpentry",
  "Landscapes",
  "Catering",
  "Freight",
  "Joinery",
  "Physiotherapy",
  "Bookkeeping",
  "Fencing",
  "Tiling",
  "Roofing",
];
const TOWNS = ["Bendigo", "Ballarat", "Geelong", "Tamworth", "Cairns", "Bunbury", "Launceston", "Dubbo"];

const invented = (random) => pick(STARTS, random) + pick(MIDDLES, random) + pick(ENDS, random);

function slip(word, random) {
  const at = 1 + Math.floor(random() * (word.length - 3));
  if (random() < 0.5) return word.slice(0, at) + word.slice(at + 1);
  return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
}

function person(random) {
  const given = pick(GIVEN, random);
  const surname = invented(random);
  const name = `${given} ${surname}`;
  let other = pick(GIVEN, random);
  while (other[0] === given[0]) other = pick(GIVEN, random);
  let stranger = invented(random);
  while (stranger[0] === surname[0]) stranger = invented(random);
  return [
    [name.toUpperCase(), name, "exact"],
    [`Mr ${name}`, name, "exact"],
    [`${surname.toUpperCase()}, ${given}`, name, "exact"],
    [`${given[0]} ${surname}`, name, "fuzzy"],
    [`${SHORT[given] ?? given[0]} ${surname}`, name, "fuzzy"],
    [`${surname} ${given}`, name, "fuzzy"],
    [`${given} ${slip(surname, random)}`, name, "fuzzy"],
    [name, `${given} ${pick(GIVEN, random)} ${surname}`, "fuzzy"],
    [name, `${given} & ${other} ${surname}`, "fuzzy"],
    [`${other} ${surname}`, name, "none"],
    [`${given} ${stranger}`, name, "none"],
    [`${other} ${stranger}`, name, "none"],
  ];
}

function organisation(random) {
  const stem = invented(random);
  const trade = pick(TRADES, random);
  const core = `${stem} ${trade}`;
  const name = `${core} Pty Ltd`;
  let otherTrade = pick(TRADES, random);
  while (otherTrade === trade) otherTrade = pick(TRADES, random);
  let stranger = invented(random);
  while (stranger[0] === stem[0]) stranger = invented(random);
  const town = pick(TOWNS, random);
  let otherTown = pick(TOWNS, random);
  while (otherTown === town) otherTown = pick(TOWNS, random);
  const number = 1 + Math.floor(random() * 8);
  return [
    [name.toUpperCase(), name, "exact"],
    [`${core} P/L`, name, "exact"],
    [`${core} Proprietary Limited`, name, "exact"],
    [`${name} ATF ${stranger} Family Trust`, `${name} as trustee for the ${stranger} Family Trust`, "exact"],
    [core, name, "fuzzy"],
    [`${slip(stem, random)} ${trade} Pty Ltd`, name, "fuzzy"],
    [`${core} ${town}`, core, "fuzzy"],
    [core, `${stranger} Holdings Pty Ltd T/A ${core}`, "fuzzy"],
    [`${stem} ${otherTrade} Pty Ltd`, name, "none"],
    [`${stranger} ${trade} Pty Ltd`, name, "none"],
    [`${core} Holdings Pty Ltd`, name, "none"],
    [`${core} ${town} Pty Ltd`, `${core} ${otherTown} Pty Ltd`, "none"],
    [`${stem} Fund ${number} Pty Ltd`, `${stem} Fund ${number + 1} Pty Ltd`, "none"],
    [`${stem} Family Trust`, `${stem} Pty Ltd`, "none"],
  ];
}

/** @returns {Array<[submitted: string, held: string, answer: "exact" | "fuzzy" | "none"]>} */
export function inventedPairs(rounds = 120, seed = 20) {
  const random = generator(seed);
  const pairs = [];
  for (let i = 0; i < rounds; i++) pairs.push(...person(random), ...organisation(random));
  return pairs;
}
