// What puts the app on hold once a backup was loaded: the same that it does itself when the platform put its database back.

/** @param {{ id: string, now: number, takenAt: number }} restore `takenAt`: when the backup was made */
export const holdStatements = ({ id, now, takenAt }) => [
  "DELETE FROM sessions",
  `UPDATE trail_cursors SET position = (SELECT coalesce(max(position), 0) FROM audit_logs) WHERE name = 'alerts'`,
  `INSERT INTO restores (id, source, noticedAt, lostFrom, position, readTo, toldTo)
    SELECT '${id}', 'file', ${Number(now)}, ${Number(takenAt)}, coalesce(max(position), 0), '', '' FROM audit_logs`,
  `UPDATE database_state SET restoreId = '${id}' WHERE id = 1`,
];
