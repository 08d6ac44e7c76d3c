/** Forms of address and letters after names, which say nothing about who is meant. */
export const TITLES =
  "emeritus adjunct mr mrs ms miss mx mister missus dr doctor prof professor rev reverend fr pastor rabbi imam sir dame lord lady hon honourable " +
  "honorable capt captain colonel lt lieutenant sgt sergeant maj cpl cmdr commander brig brigadier wg sqn messrs mesdames " +
  "madam madame mme monsieur herr frau senator cr councillor ambassador archbishop mstr m/s m/- mr/s mr/ms mr/mrs";

export const POSTNOMINALS =
  "oam am ao ac mp mla mlc mha phd md mba cpa ca fca llb ba bsc msc qc kc sc jp frcs fracp raaf ram csc psm apm esq esquire obe mbe cbe " +
  "ado rn dsc bcom faicd mbbs kcmg";

export const GENERATIONS = "jr jnr junior sr snr senior";

/** Small words that belong to the surname after them. */
export const PARTICLES =
  "van von der den de di da do dos das del della du la le lo mac mc fitz st saint san santa o d al el bin ibn ben bint abu ter ten zu af av os y e ap ab";
