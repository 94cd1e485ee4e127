// Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
/*
 * Makes files of writers in JavaScript, in every type, compression and chunking that they have, and a list of what they hold, as make_matrix.py does.
 *
 * Usage: npm install zarrita@0.7.5 h5wasm@0.10.3 geotiff@3.0.5 numcodecs@0.3.2
 *        node make_npm_matrix.mjs FOLDER          all, for -Dstencil.test.matrix=FOLDER of FormatMatrixTest
 *        node make_npm_matrix.mjs FOLDER part     a part; "cd FOLDER && zip -qr -X ../npm.zip ." is npm.zip, which the test reads otherwise
 */
import * as fs from "node:fs";
import * as path from "node:path";
import * as zarr from "zarrita";
import h5wasm from "h5wasm/node";
import { writeArrayBuffer } from "geotiff";

const folder = process.argv[2];
fs.mkdirSync(path.join(folder, "expected"), { recursive: true });
const every = process.argv[3] === "part" ? 11 : 1;
const lines = [];
let made = 0;
let number = 0;

/** Of a part, a few combinations are made. */
const wanted = () => number++ % every === 0;

const SHAPES = [[13], [11, 9], [5, 6, 7]];
const TYPES = {
  int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array,
  int64: BigInt64Array, uint64: BigUint64Array, float32: Float32Array, float64: Float64Array,
};
const product = (numbers) => numbers.reduce((a, b) => a * b, 1);

/** Returns numbers of the whole range of a type; repeated ones, so that compression finds something. */
function cells(shape, type) {
  const count = product(shape);
  const array = new TYPES[type](count);
  let state = BigInt(count * 7919 + type.length);
  for (let i = 0; i < count; i++) {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    if (type.startsWith("float")) array[i] = Number(state >> 11n) / 2 ** 45 - 128;
    else if (type.endsWith("64")) array[i] = type === "int64" ? BigInt.asIntN(64, state) : state;
    else array[i] = Number(state >> 32n);
  }
  if (type.startsWith("float")) array.set([NaN, Infinity, -Infinity, -0, 1.1754943508222875e-38]);
  array.fill(type.endsWith("64") && !type.startsWith("float") ? 1n : 1, count >> 1, (count >> 1) + (count >> 2));
  return array;
}

function npy(values, shape) {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  let head = `{'descr': '<f8', 'fortran_order': False, 'shape': ${tuple}, }`;
  head += " ".repeat(63 - ((10 + head.length) % 64)) + "\n";
  const bytes = Buffer.alloc(10 + head.length + 8 * values.length);
  bytes.write("\x93NUMPY\x01\x00", 0, "latin1");
  bytes.writeUInt16LE(head.length, 8);
  bytes.write(head, 10, "latin1");
  values.forEach((value, i) => bytes.writeDoubleLE(Number(value), 10 + head.length + 8 * i));
  return bytes;
}

function expect(writer, field, values, shape, must = "read") {
  const file = `expected/${made++}.npy`;
  fs.writeFileSync(path.join(folder, file), npy(Array.from(values), shape));
  lines.push([writer, field, file, must].join("\t"));
}

function chunkings(shape) {
  return [shape, shape.map((size) => Math.max(1, (size + 1) >> 1)), shape.map((size) => Math.min(size, 3))];
}

/** A store in a folder. */
const store = (root) => ({
  async get(key) {
    const file = path.join(root, key);
    return fs.existsSync(file) ? new Uint8Array(fs.readFileSync(file)) : undefined;
  },
  async set(key, value) {
    const file = path.join(root, key);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, value);
  },
});

const blosc = (cname, shuffle, typesize) => ({ name: "blosc", configuration: { cname, clevel: 5, shuffle, typesize, blocksize: 0 } });

async function zarrita() {
  const failures = {};
  for (const type of [...Object.keys(TYPES), "bool"]) {
    const width = type === "bool" ? 1 : TYPES[type].BYTES_PER_ELEMENT;
    const little = { name: "bytes", configuration: { endian: "little" } };
    const big = { name: "bytes", configuration: { endian: "big" } };
    const codecs = {
      plain: [little], big: [big], gzip: [little, { name: "gzip", configuration: { level: 5 } }],
      zstd: [little, { name: "zstd", configuration: { level: 3, checksum: false } }], crc32c: [little, { name: "crc32c" }],
      lz4: [little, blosc("lz4", "noshuffle", width)], lz4shuffle: [little, blosc("lz4", "shuffle", width)],
      zlibbits: [little, blosc("zlib", "bitshuffle", width)], bigblosc: [big, blosc("zstd", "shuffle", width)],
    };
    for (const [name, pipeline] of Object.entries(codecs)) {
      if (type === "bool" && name.startsWith("big")) continue; // zarrita moves cells there, four by four
      for (const shape of SHAPES) {
        const order = shape.map((_, axis) => shape.length - 1 - axis);
        const all = shape.length > 1 ? [pipeline, [{ name: "transpose", configuration: { order } }, ...pipeline]] : [pipeline];
        for (const [turned, codec] of all.entries()) {
          for (const [chunking, chunks] of chunkings(shape).entries()) {
            if (!wanted()) continue;
            const field = `zarrita-${type}-${name}${turned ? "-turned" : ""}-${shape.length}-${chunking}.zarr`;
            const root = path.join(folder, field);
            try {
              const values = type === "bool" ? Array.from(cells(shape, "uint8"), (v) => v > 127) : cells(shape, type);
              const array = await zarr.create(zarr.root(store(root)), {
                shape, chunkShape: chunks, dtype: type, codecs: codec, fillValue: type === "bool" ? false : 0,
                chunkSeparator: chunking === 1 ? "." : "/", dimensionNames: shape.map((_, i) => "abc"[i]),
              });
              let data = values;
              if (type === "bool") {
                data = new zarr.BoolArray(values.length);
                values.forEach((v, i) => data.set(i, v));
              }
              const stride = shape.map((_, axis) => product(shape.slice(axis + 1)));
              await zarr.set(array, null, { data, shape, stride });
              expect("zarrita", field, Array.from(values, (v) => (v === true ? 1 : v === false ? 0 : v)), shape);
            } catch (e) {
              const key = `${name}: ${String(e.message ?? e).split("\n")[0]}`;
              failures[key] = (failures[key] ?? 0) + 1;
              fs.rmSync(root, { recursive: true, force: true });
            }
          }
        }
      }
    }
  }
  console.log("zarrita could not write:", failures);
}

const H5 = { int8: "<b", uint8: "<B", int16: "<h", uint16: "<H", int32: "<i", uint32: "<I", int64: "<q", uint64: "<Q", float32: "<f", float64: "<d" };

async function hdf5() {
  const { FS } = await h5wasm.ready;
  const failures = {};
  for (const [type, code] of Object.entries(H5)) {
    for (const order of ["<", ">"]) {
      const name = `h5wasm-${type}-${order === "<" ? "little" : "big"}.h5`;
      const file = new h5wasm.File(path.join(folder, name), "w");
      const fields = [];
      for (const shape of SHAPES) {
        for (const [chunking, chunks] of [null, ...chunkings(shape)].entries()) {
          const filters = chunks ? { none: {}, gzip: { compression: "gzip", compression_opts: [5] } } : { none: {} };
          for (const [filter, options] of Object.entries(filters)) {
            for (const grows of chunks ? [false, true] : [false]) {
              const field = `f${shape.length}_${chunking}_${filter}${grows ? "_grows" : ""}`;
              if (!wanted()) continue;
              try {
                const values = cells(shape, type);
                file.create_dataset({
                  name: field, data: values, shape, dtype: order + code[1], chunks, ...options,
                  maxshape: grows ? shape.map(() => null) : null,
                });
                fields.push([field, values, shape]);
              } catch (e) {
                const key = `${order}${filter}: ${String(e.message ?? e).split("\n")[0]}`;
                failures[key] = (failures[key] ?? 0) + 1;
              }
            }
          }
        }
      }
      file.close();
      // what h5wasm itself reads of it: where it has not written the numbers, they are not asked for
      const again = new h5wasm.File(path.join(folder, name), "r");
      for (const [field, values, shape] of fields) {
        const back = again.get(field).value;
        const same = values.every((v, i) => Object.is(v, back[i]));
        if (same) expect("h5wasm", `${name}/${field}`, values, shape);
        else failures[`${order} reads other numbers`] = (failures[`${order} reads other numbers`] ?? 0) + 1;
      }
      again.close();
    }
  }
  console.log("h5wasm could not write:", failures);
}

function geotiff() {
  const failures = {};
  // of signed integers of 16 and 32 bits, geotiff.js writes the lowest bytes alone
  for (const type of Object.keys(TYPES).filter((name) => !["int16", "int32"].includes(name))) {
    for (const [rows, columns] of [[11, 9], [2, 3], [40, 17], [5, 300]]) {
      for (const bands of [1, 3]) {
        if (!wanted()) continue;
        const field = `geotiff-${type}-${rows}x${columns}x${bands}.tif`;
        try {
          const values = cells([rows, columns, bands], type);
          const bytes = writeArrayBuffer(values, {
            height: rows, width: columns, SamplesPerPixel: bands, BitsPerSample: Array(bands).fill(8 * TYPES[type].BYTES_PER_ELEMENT),
            SampleFormat: Array(bands).fill(type.startsWith("float") ? 3 : type.startsWith("u") ? 1 : 2),
            ...(bands === 1 ? {} : { PhotometricInterpretation: 1, ExtraSamples: Array(bands - 1).fill(0) }),
          });
          fs.writeFileSync(path.join(folder, field), Buffer.from(bytes));
          const turned = bands === 1 ? values : Array.from({ length: values.length }, (_, i) => values[(i % (rows * columns)) * bands + Math.floor(i / (rows * columns))]);
          expect("geotiff.js", field, turned, bands === 1 ? [rows, columns] : [bands, rows, columns], "either");
        } catch (e) {
          const key = String(e.message ?? e).split("\n")[0];
          failures[key] = (failures[key] ?? 0) + 1;
        }
      }
    }
  }
  console.log("geotiff.js could not write:", failures);
}

await zarrita();
await hdf5();
geotiff();
fs.writeFileSync(path.join(folder, "manifest.tsv"), lines.join("\n") + "\n");
console.log(`${lines.length} fields`);
