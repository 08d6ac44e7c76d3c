-- What is public about the email domains of payees, and what organisations were told of their payees' domains and ABNs.
CREATE TABLE "domain_answers" (
	"domain" text NOT NULL,
	"party" text NOT NULL,
	"wantedAt" integer NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"fetchedAt" integer,
	"failedAt" integer,
	"mail" text,
	"registration" text,
	PRIMARY KEY("domain", "party"),
	CONSTRAINT "domain_answers_party" CHECK("party" IN ('dns', 'rdap'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX "domain_answers_wanted" ON "domain_answers" ("party","wantedAt");--> statement-breakpoint
CREATE TABLE "subject_watches" (
	"organizationId" text NOT NULL,
	"subject" text NOT NULL,
	"firstSeenAt" integer NOT NULL,
	"told" text DEFAULT '[]' NOT NULL,
	"newsAt" integer,
	PRIMARY KEY("organizationId", "subject")
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX "subject_watches_subject" ON "subject_watches" ("subject");--> statement-breakpoint
CREATE INDEX "subject_watches_news" ON "subject_watches" ("newsAt") WHERE "newsAt" IS NOT NULL;
