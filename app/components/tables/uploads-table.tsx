import type { ReactNode } from "react";
import { Time } from "~/components/ui/time";
import type { ShownTime } from "~/kernel/shown-time";
import { CellNote, RowLink, Table, Td, Th, Tr } from "./table";

type Upload = { id: string; name: string; uploadedAt: ShownTime };

interface UploadsTableProps<Row extends Upload> {
  caption: string;
  rows: readonly Row[];
  to: (row: Row) => string;
  /** Said under the file's name. */
  note: (row: Row) => string | null;
  /** Columns of numbers between the name and the status. */
  figures: readonly { head: string; of: (row: Row) => ReactNode }[];
  status: (row: Row) => ReactNode;
}

/** Files that an organisation uploaded, the newest first. */
export function UploadsTable<Row extends Upload>({ caption, rows, to, note, figures, status }: UploadsTableProps<Row>) {
  return (
    <Table
      caption={caption}
      fixed
      head={
        <>
          <Th width="lg:w-[32%]">File</Th>
          {figures.map(({ head }) => (
            <Th key={head} align="right">
              {head}
            </Th>
          ))}
          <Th>Status</Th>
          <Th>Uploaded</Th>
        </>
      }
    >
      {rows.map((row) => (
        <Tr key={row.id}>
          <Td>
            <RowLink to={to(row)}>
              <span className="break-words">{row.name}</span>
            </RowLink>
            {note(row) && <CellNote>{note(row)}</CellNote>}
          </Td>
          {figures.map(({ head, of }) => (
            <Td key={head} label={head} align="right">
              {of(row)}
            </Td>
          ))}
          <Td label="Status">{status(row)}</Td>
          <Td label="Uploaded">
            <Time {...row.uploadedAt} stacked />
          </Td>
        </Tr>
      ))}
    </Table>
  );
}
