/** How a spreadsheet's own formats begin: a ZIP archive (.xlsx, .ods) and an OLE compound file (.xls). */
const SIGNATURES = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** True for bytes that a spreadsheet wrote as a workbook: they are refused unopened, however large they would become. */
export const isWorkbook = (bytes: Uint8Array): boolean =>
  SIGNATURES.some((signature) => signature.every((byte, at) => bytes[at] === byte));
