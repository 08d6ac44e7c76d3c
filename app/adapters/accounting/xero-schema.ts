import * as z from "zod";

/** What we read of Xero's answers; everything else is left out. Source: Xero's OpenAPI description of the accounting API. */

const text = z.string().nullish();

export const tokensSchema = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.coerce.number().int().positive(),
});

export const connectionsSchema = z.array(
  z.object({ id: z.string().min(1), tenantId: z.string().min(1), tenantType: z.string(), tenantName: text }),
);

const contactSchema = z.object({
  ContactID: z.string().min(1),
  ContactStatus: text,
  Name: z.string(),
  EmailAddress: text,
  TaxNumber: text,
  BankAccountDetails: text,
  BatchPayments: z.object({ BankAccountNumber: text, BankAccountName: text }).nullish(),
  Phones: z
    .array(z.object({ PhoneType: text, PhoneNumber: text, PhoneAreaCode: text, PhoneCountryCode: text }))
    .nullish(),
  Addresses: z
    .array(
      z.object({
        AddressType: text,
        AddressLine1: text,
        AddressLine2: text,
        AddressLine3: text,
        AddressLine4: text,
        City: text,
        Region: text,
        PostalCode: text,
      }),
    )
    .nullish(),
});
export type XeroContact = z.infer<typeof contactSchema>;

/** Without a number of pages, a page that is full has another one behind it. */
const pagination = z.object({ pageCount: z.number().nullish() }).nullish();

export const contactsSchema = z.object({ Contacts: z.array(contactSchema), pagination });

const invoiceSchema = z.object({
  InvoiceID: z.string().min(1),
  InvoiceNumber: text,
  Status: z.string(),
  Contact: z.object({ ContactID: z.string().min(1), Name: text }),
  AmountDue: z.number().nullish(),
  AmountPaid: z.number().nullish(),
  CurrencyCode: text,
});
export type XeroInvoice = z.infer<typeof invoiceSchema>;

export const invoicesSchema = z.object({ Invoices: z.array(invoiceSchema), pagination });

const paymentSchema = z.object({
  PaymentID: z.string().min(1),
  Status: z.string(),
  Date: z.string(),
  Amount: z.number(),
  CurrencyRate: z.number().nullish(),
  IsReconciled: z.boolean().nullish(),
  BankAccountNumber: text,
  Invoice: z.object({ InvoiceNumber: text, Contact: z.object({ ContactID: z.string().min(1) }).nullish() }).nullish(),
});
export type XeroPayment = z.infer<typeof paymentSchema>;

export const paymentsSchema = z.object({ Payments: z.array(paymentSchema), pagination });

export const historySchema = z.object({
  HistoryRecords: z.array(z.object({ Changes: text, DateUTC: text, User: text })),
});

const said = text.catch(undefined);
export const errorSchema = z.object({ error: said, Title: said, Detail: said, Message: said });
