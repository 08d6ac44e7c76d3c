// Statements that put the app on hold after a backup is loaded, as the app does itself when the platform has restored
// its database.

/** @param {{ id: string, now: number, takenAt: number }} restore `takenAt`: when the backup was made */
export const holdStatements = ({ id, now, takenAt }) => [
  "DELETE FROM sessions",
  `UPDATE trail_cursors SET position = (SELECT coalesce(max(position), 0) FROM audit_logs) WHERE name = 'alerts'`,
  `INSERT INTO restores (id, source, noticedAt, lostFrom, position, readTo, toldTo)
    SELECT '${id}', 'file', ${Number(now)}, ${Number(takenAt)}, coalesce(max(position), 0), '', '' FROM audit_logs`,
  `UPDATE database_state SET restoreId = '${id}' WHERE id = 1`,
];
