-- Sessions that an organisation's provider vouched for are found when the organisation is removed, also those of people who belong
-- to another by now; the database looks for them as well.
CREATE INDEX "sessions_provider_organization" ON "sessions" ("providerOrganizationId") WHERE "providerOrganizationId" IS NOT NULL;
