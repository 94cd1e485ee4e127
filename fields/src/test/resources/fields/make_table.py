# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Makes docs/writers.md of the files of make_matrix.py and make_npm_matrix.mjs and of what FormatMatrixTest found in them.

Usage: python3 make_table.py FOLDER.. > docs/writers.md
       (each with the manifest.tsv of a matrix, and the outcomes.tsv that the test leaves there with -Dstencil.test.matrix=FOLDER)
"""
import collections
import pathlib
import re
import subprocess
import sys

import h5py
import netCDF4
import numcodecs
import numpy
import osgeo.gdal
import rasterio
import scipy
import tables
import zarr


def xarray_version():
    """Returns that of Debian's package, which does not know its own."""
    return subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "python3-xarray"], capture_output=True, check=True, text=True).stdout.split("-")[0]


VERSIONS = {
    "h5py": "h5py %s, HDF5 %s" % (h5py.__version__, h5py.version.hdf5_version),
    "netCDF4": "netCDF4 %s, netcdf-c %s" % (netCDF4.__version__, netCDF4.__netcdf4libversion__.split()[0]),
    "xarray": "xarray %s" % xarray_version(),
    "scipy": "scipy %s" % scipy.__version__,
    "PyTables": "PyTables %s" % tables.__version__,
    "zarr-python": "zarr-python %s, numcodecs %s" % (zarr.__version__.split("+")[0], numcodecs.__version__.split("+")[0]),
    "GDAL": "GDAL %s" % osgeo.gdal.__version__,
    "rasterio": "rasterio %s" % rasterio.__version__,
    "zarrita": "zarrita 0.7.5, numcodecs.js 0.3.2",
    "h5wasm": "h5wasm 0.10.3",
    "geotiff.js": "geotiff.js 3.0.5",
}
FILTERS = {"32001": "blosc", "32000": "lzf", "lzf": "lzf", "307": "bzip2", "305": "lzo", "gzip": "gzip", "shuffle": "shuffle",
           "fletcher32": "fletcher32", "szip": "szip", "scaleoffset": "scaleoffset"}
WORDS = {"int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4", "int64": "i8", "uint64": "u8",
         "float32": "f4", "float64": "f8", "bool": "b1"}
ZARRITA = {"plain": "none", "big": "none, big-endian", "lz4": "blosc lz4", "lz4shuffle": "blosc lz4, shuffle",
           "zlibbits": "blosc zlib, bit shuffle", "bigblosc": "blosc zstd, shuffle, big-endian"}
ORDER = ["b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]
files = {}


def of_dtype(dtype):
    dtype = numpy.dtype(dtype)
    kind = "%s%d" % (dtype.kind, dtype.itemsize)
    return kind, "big-endian" if dtype.byteorder == ">" else "little-endian"


def of_hdf5(folder, field):
    name, where = re.match(r"(.*?\.(?:h5|nc))/(.*?)(?:\[.*\])?$", field).groups()
    path = folder / name
    if path.read_bytes()[:3] == b"CDF":
        data = files.setdefault(path, netCDF4.Dataset(path))
        variable = data[where]
        grows = any(data.dimensions[axis].isunlimited() for axis in variable.dimensions)
        return of_dtype(variable.dtype)[0], "none", "records" if grows else "contiguous"
    data = files.setdefault(path, h5py.File(path))[where]
    names = list(data._filters)
    if data.chunks is None:
        layout = "contiguous"
    else:
        layout = "one chunk" if data.chunks == data.shape else "chunks"
        if data.maxshape != data.shape:
            layout += ", growing"
    kind, order = of_dtype("b1" if h5py.check_enum_dtype(data.dtype) else data.dtype)
    filters = [FILTERS.get(each, each) for each in names]
    return kind, ", ".join(filters) or "none", layout


def of_tiff(folder, field):
    path = folder / field.split("[")[0]
    with rasterio.open(path) as data:
        kind = of_dtype(data.dtypes[0])[0] if "complex" not in data.dtypes[0] else data.dtypes[0]
        named = set(re.split(r"[-.]", path.name)) & {*ORDER, *WORDS}
        kind = WORDS.get(min(named), min(named)) if named else kind
        facts = data.tags(ns="IMAGE_STRUCTURE")
        filters = facts.get("COMPRESSION", "none").lower()
        filters += ", predictor %s" % facts["PREDICTOR"] if facts.get("PREDICTOR", "1") != "1" else ""
        rows, columns = data.block_shapes[0]
    layout = "strips" if columns == data.width and rows % 16 else "tiles"
    return kind, filters, layout + (", BigTIFF" if path.read_bytes()[2:4] in [b"+\0", b"\0+"] else "")


def of_zarr(field):
    parts = field.split("/")[-1].replace(".zarr", "").split("-")
    if parts[0] == "zarrita":
        turned = ", transpose" if "turned" in parts else ""
        return WORDS[parts[1]], ZARRITA.get(parts[2], parts[2]) + turned, "chunks"
    return parts[-3], {"bits": "blosc, bit shuffle"}.get(parts[0], parts[0]), "chunks" + (", order F" if parts[-2] == "F" else "")


def described(folder, writer, field):
    if ".h5/" in field or ".nc/" in field:
        return of_hdf5(folder, field)
    return of_zarr(field) if ".zarr" in field else of_tiff(folder, field)


def listed(kinds):
    known = [kind for kind in ORDER if kind in kinds]
    return " ".join(known + sorted(kinds - set(known)))


rows = collections.defaultdict(lambda: [set(), set(), set(), 0, 0])
total = [0, 0]
for folder in map(pathlib.Path, sys.argv[1:]):
    for line in (folder / "outcomes.tsv").read_text().splitlines():
        writer, field, outcome = line.split("\t")
        if outcome not in ["same", "refused"]:
            sys.exit("%s: %s" % (field, outcome))
        kind, filters, layout = described(folder, writer, field)
        row = rows[writer, filters]
        row[outcome == "refused"].add(kind)
        row[2].add(layout)
        row[3 + (outcome == "refused")] += 1
        total[outcome == "refused"] += 1

print("""# Writers, types, compression and chunks

```sh
bin/stencil draw --expression u --steps 0 --cells "u=examples/data/coads-sst.nc/SST[TIME=1]" --plot target/august.png   # any file of this table
```

Of every writer that is at hand, files in each combination of type, byte order, compression, filter, chunks and axes were made, and read: %s fields. Each was read **bit for bit** as its writer
has it, %s of them, or **refused with a remedy**, %s of them, before any cell was used. None was read wrongly. Types are `i` for integers with a sign and `u` for those without, `f` for floating-point numbers, `b` for booleans, and
their bytes, in both byte orders where the writer has them. [FormatMatrixTest](../fields/src/test/java/io/sparkstencil/spark/files/paths/FormatMatrixTest.java) reads a part in every build; [CONTRIBUTING](../CONTRIBUTING.md#tests)
says how to make all of them, and [make_table.py](../fields/src/test/resources/fields/make_table.py) makes this page of what it finds. What is written is in [files](files.md#reading-the-files-elsewhere).

| writer | compression, filters | read: types | refused: types | stored as | read | refused |
|---|---|---|---|---|---|---|""" % tuple("{:,}".format(n) for n in (sum(total), *total)))
for (writer, filters), (read, refused, layouts, same, not_read) in sorted(rows.items(), key=lambda each: (each[0][0].lower(), each[0][1])):
    name, _, form = writer.partition(" ")
    print("| %s | %s | %s | %s | %s | %d | %d |" % (writer, filters, listed(read), listed(refused), "; ".join(sorted(layouts)), same, not_read))
print("""
Refused are what [the table of formats](files.md#formats) says is not read: JPEG, LERC and LZMA, cells of few bits and masks in TIFF, bzip2, LZO, scaleoffset and szip in HDF5, complex cells, and LZ4, bz2 and LZMA as compressors of Zarr of version 2.

| writer | versions |
|---|---|""")
for writer in VERSIONS:
    print("| %s | %s |" % (writer, VERSIONS[writer]))
