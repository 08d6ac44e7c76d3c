-- The contact email whose reader confirmed it gets an organisation's alerts.
ALTER TABLE "organizations" ADD "confirmedContactEmail" text;
