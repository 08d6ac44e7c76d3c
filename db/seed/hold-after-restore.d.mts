export function holdStatements(restore: { id: string; now: number; takenAt: number }): string[];
