import { expect, test } from "vitest";
import { linesOfText } from "../layout/lines";
import { findWrongSum } from "./sums";

const isSaid = (...rows: string[]) => findWrongSum(linesOfText(rows.join("\n"))).length > 0;

test.each([
  [["Subtotal\t1,084.86", "GST 10%\t108.49", "Amount due\t$2,193.35"]],
  [["Sub-total: $500.00", "GST: $50.00", "Total: $555.00"]],
  [["Delivery\t40.00", "Thank you\tSubtotal (ex GST)\t400.00", "\tTotal GST\t40.00", "Visit us\tTotal AUD\t$940.00"]],
  [["Sub total 100.00", "GST (10%) 10.00", "Balance due 1110.00"]],
  [["Subtotal\t997.41", "GST 10%\t99.74", "Please pay\t$2,097.15"]],
  [["Subtotal\t997.41", "GST 10%\t99.74", "Pay this amount\t$2,097.15"]],
  [["Subtotal\t997.41", "GST 10%\t99.74", "Grand total\t$2,097.15"]],
])("a total that is more than its parts: %j", (rows) => {
  expect(isSaid(...rows)).toBe(true);
});

test.each([
  [["Subtotal\t1,084.86", "GST 10%\t108.49", "Amount due\t$1,193.35"]],
  [["Subtotal\t1,084.86", "GST 10%\t108.49", "Rounding\t0.05", "Amount due\t$1,193.40"]],
  [["Subtotal\t999.99", "GST 10%\t100.02", "Total\t$1,000.00"]],
  [["Subtotal\t500.00", "GST\t50.00", "Amount due\t$350.00", "Deposit paid\t$200.00"]],
  [["Subtotal\t500.00", "GST\t50.00", "Freight\t20.00", "Total\t$570.00"]],
  [["Subtotal\t500.00", "Surcharge 1.2%\t6.00", "GST\t50.60", "Total\t$556.60"]],
  [["Previous balance\t$250.00", "Subtotal\t500.00", "GST\t50.00", "Total due\t$800.00"]],
  [["Balance brought forward: 250.00", "Subtotal\t500.00", "GST\t50.00", "Total due\t$800.00"]],
  [["Subtotal\t500.00", "GST included\t45.45", "Total\t$500.00"]],
  [["Subtotal\t500.00", "GST 10%\t50.00", "Total hours\t900.00"]],
  [["Subtotal\t500.00", "GST 10%\t5", "Total\t$900.00"]],
  [["Total\t$900.00", "Subtotal\t500.00", "GST 10%\t50.00"]],
])("an honest sum: %j", (rows) => {
  expect(isSaid(...rows)).toBe(false);
});

test("words of an older balance in a line that fills the page take no time", () => {
  const { user } = process.cpuUsage();
  expect(isSaid("previous ".repeat(15_000))).toBe(false);
  expect(process.cpuUsage().user - user).toBeLessThan(1_000_000);
});
