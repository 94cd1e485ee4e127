#!/usr/bin/env bash
# zarrita 0.7.5 (npm): an array created without codecs is no valid Zarr version 3, and Blosc's shuffle goes by number, not by name.
#
# The specification demands exactly one codec that turns an array into bytes. create() without the option writes "codecs": [], reads it
# back itself, and leaves other readers to guess the byte order. A codec {"name": "blosc", ..., "shuffle": "shuffle"}, as the specification
# spells it, is stored in the metadata, but chunks are compressed without shuffling: the header's flag says so.
. "$(dirname "$0")/packages.bash"
npm_packages zarrita@0.7.5 @zarrita/storage@0.2.0 numcodecs@0.3.2
cat > "$TEMP/look.mjs" <<'JS'
import * as zarr from "zarrita";
const store = new Map();
store.get = Map.prototype.get.bind(store);
const plain = await zarr.create(zarr.root(store).resolve("/plain"), { shape: [4], chunkShape: [4], dtype: "float64" });
await zarr.set(plain, null, 1.5);
console.log(JSON.stringify(JSON.parse(new TextDecoder().decode(store.get("/plain/zarr.json"))).codecs));
console.log((await zarr.get(await zarr.open(zarr.root(store).resolve("/plain")))).data.join());
const configuration = { cname: "lz4", clevel: 5, shuffle: "shuffle", typesize: 8, blocksize: 0 };
const blosc = await zarr.create(zarr.root(store).resolve("/blosc"), {
  shape: [4096], chunkShape: [4096], dtype: "float64",
  codecs: [{ name: "bytes", configuration: { endian: "little" } }, { name: "blosc", configuration }],
});
await zarr.set(blosc, null, { data: Float64Array.from({ length: 4096 }, (_, i) => i), shape: [4096], stride: [1] });
const stored = JSON.parse(new TextDecoder().decode(store.get("/blosc/zarr.json"))).codecs[1].configuration.shuffle;
const flags = store.get("/blosc/c/0")[2];
console.log(stored, flags & 1 ? "shuffled" : flags & 4 ? "bit-shuffled" : "not shuffled");
JS
readarray -t lines < <(cd "$TEMP" && node look.mjs)
expect 'codecs in the metadata' '[]' "${lines[0]}"
expect 'read back by zarrita' '1.5,1.5,1.5,1.5' "${lines[1]}"
expect 'shuffle in the metadata, and in the chunk' 'shuffle not shuffled' "${lines[2]}"
finish
