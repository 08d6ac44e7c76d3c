DROP TABLE `preconditions`;
--> statement-breakpoint
CREATE TABLE `preconditions` (
	`c0` integer,
	`c1` integer,
	`c2` integer,
	`c3` integer,
	`c4` integer,
	`c5` integer,
	`c6` integer,
	`c7` integer,
	`c8` integer,
	`c9` integer,
	CONSTRAINT "precondition_0" CHECK("preconditions"."c0" = 1),
	CONSTRAINT "precondition_1" CHECK("preconditions"."c1" = 1),
	CONSTRAINT "precondition_2" CHECK("preconditions"."c2" = 1),
	CONSTRAINT "precondition_3" CHECK("preconditions"."c3" = 1),
	CONSTRAINT "precondition_4" CHECK("preconditions"."c4" = 1),
	CONSTRAINT "precondition_5" CHECK("preconditions"."c5" = 1),
	CONSTRAINT "precondition_6" CHECK("preconditions"."c6" = 1),
	CONSTRAINT "precondition_7" CHECK("preconditions"."c7" = 1),
	CONSTRAINT "precondition_8" CHECK("preconditions"."c8" = 1),
	CONSTRAINT "precondition_9" CHECK("preconditions"."c9" = 1)
) STRICT;
--> statement-breakpoint
CREATE TRIGGER `preconditions_stay_empty` AFTER INSERT ON `preconditions`
BEGIN
	DELETE FROM `preconditions`;
END;
