#!/usr/bin/env bash
# @dsnp/parquetjs 1.8.9: writes 4.35 as the decimal 4.34, reads decimals of up to nine digits as others with zeros between, and moves days before 1970.
#
# A decimal of Parquet is an integer and a scale (LogicalTypes.md, DECIMAL), of 64 bits for up to 18 digits, and of 32 bits only where the file's schema says
# so. The writer multiplies a double by a power of ten and rounds down, so that many a cell is the number below. It always writes 64 bits; the reader takes
# 32 for each cell of a column of up to nine digits, whatever the schema says: of four cells it finds two, each followed by its upper half, and no error
# comes. Other readers find what was written. A moment becomes a DATE (days since 1970) by its day from 1970 on, and by the day after it before: the
# evening of 29 February is 1 March. The next version, 1.9.3, has no code in its package.
. "$(dirname "$0")/packages.bash"
npm_packages @dsnp/parquetjs@1.8.9 hyparquet@1.33.0 parquet-wasm@0.8.0 apache-arrow@21.2.0
cat > "$TEMP/look.mjs" <<'JS'
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tableFromIPC } from "apache-arrow";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { readParquet } from "parquet-wasm/node";

const { ParquetReader, ParquetSchema, ParquetWriter } = createRequire(import.meta.url)("@dsnp/parquetjs");
const show = (cells) => console.log(cells.map((cell) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell))).join(" "));

async function roundTrip(field, cells) {
  const writer = await ParquetWriter.openFile(new ParquetSchema({ u: field }), "cells.parquet");
  for (const u of cells) await writer.appendRow({ u });
  await writer.close();
  console.log((await parquetMetadataAsync(await asyncBufferFromFile("cells.parquet"))).schema[1].type);
  const reader = await ParquetReader.openFile("cells.parquet");
  const cursor = reader.getCursor();
  const own = [];
  for (let row = await cursor.next(); row; row = await cursor.next()) own.push(row.u);
  await reader.close();
  show(own);
  show((await parquetReadObjects({ file: await asyncBufferFromFile("cells.parquet") })).map((row) => row.u));
  const column = tableFromIPC(readParquet(new Uint8Array(readFileSync("cells.parquet"))).intoIPCStream()).getChild("u");
  show([...column].map((cell) => (typeof cell === "number" ? new Date(cell) : (cell[0] | 0) / 100)));
}

await roundTrip({ type: "DECIMAL", precision: 18, scale: 2 }, [1.5, -2.5, 0.29, 4.35, -0.07, 2.01]);
await roundTrip({ type: "DECIMAL", precision: 9, scale: 2 }, [1.5, -2.5, 0.25, 8]);
await roundTrip({ type: "DATE" }, ["1960-02-29T18:00Z", "1969-12-31T00:00Z", "1969-12-31T12:00Z", "1970-01-01T12:00Z"].map((text) => new Date(text)));
JS
readarray -t seen < <(cd "$TEMP" && node look.mjs)
echo '1.5 -2.5 0.29 4.35 -0.07 2.01 with 18 digits'
expect 'the type in the file' 'INT64' "${seen[0]:-}"
expect 'parquetjs' '1.5 -2.5 0.28 4.34 -0.08 2' "${seen[1]:-}"
expect 'hyparquet' '1.5 -2.5 0.28 4.34 -0.08 2' "${seen[2]:-}"
expect 'parquet-wasm' '1.5 -2.5 0.28 4.34 -0.08 2' "${seen[3]:-}"
echo '1.5 -2.5 0.25 8 with 9 digits'
expect 'the type in the file' 'INT64' "${seen[4]:-}"
expect 'parquetjs' '1.5 0 -2.5 -0.01' "${seen[5]:-}"
expect 'hyparquet' '1.5 -2.5 0.25 8' "${seen[6]:-}"
expect 'parquet-wasm' '1.5 -2.5 0.25 8' "${seen[7]:-}"
echo '1960-02-29T18:00Z 1969-12-31T00:00Z 1969-12-31T12:00Z 1970-01-01T12:00Z'
expect 'the type in the file' 'INT32' "${seen[8]:-}"
expect 'parquetjs' '1960-03-01 1969-12-31 1970-01-01 1970-01-01' "${seen[9]:-}"
expect 'hyparquet' '1960-03-01 1969-12-31 1970-01-01 1970-01-01' "${seen[10]:-}"
expect 'parquet-wasm' '1960-03-01 1969-12-31 1970-01-01 1970-01-01' "${seen[11]:-}"
finish
