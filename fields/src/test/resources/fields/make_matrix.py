# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Makes files of every writer, type, compression and chunking that is at hand, and a list of what they hold.

Usage: python3 make_matrix.py FOLDER         all combinations, for -Dstencil.test.matrix=FOLDER of FormatMatrixTest
       python3 make_matrix.py                a part of them as matrix.zip, which the test reads otherwise
(Debian 12: python3-xarray python3-netcdf4 python3-h5py python3-tables python3-zarr python3-gdal python3-rasterio)

Each line of manifest.tsv has a writer, the name of a field, the file of its cells (float64, by numpy.save), and
"read" or "either": whether the field must be read, or may be refused with a remedy. What is read must have the same bits.
"""
import itertools
import pathlib
import sys
import tempfile
import warnings

import h5py
import netCDF4
import numcodecs
import numpy as np
import scipy.io
import tables
import xarray as xr
import zarr

from fixture_files import HERE, pack

warnings.filterwarnings("ignore")
INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]
SHAPES = [(13,), (11, 9), (5, 6, 7)]


def cells(shape, dtype, order="<"):
    """Returns numbers of the whole range of a type; repeated ones, so that compression finds something."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape))
    random = np.random.default_rng(count + dtype.itemsize)
    if dtype.kind == "b":
        return (random.integers(0, 2, count) > 0).reshape(shape)
    if dtype.kind == "f":
        values = random.normal(0, 100, count).astype(dtype)
        special = [np.nan, np.inf, -np.inf, -0.0, np.finfo(dtype).max, np.finfo(dtype).tiny]
        values[: len(special)] = special
    else:
        info = np.iinfo(dtype)
        values = random.integers(info.min, info.max, count, dtype=dtype, endpoint=True)
        values[:2] = info.min, info.max
    values[count // 2 : count // 2 + count // 4] = 1
    return values.reshape(shape).astype(dtype.newbyteorder(order))


class Matrix:
    def __init__(self, folder, part):
        self.folder = folder
        self.part = part
        self.lines = []
        self.number = 0
        self.made = {}
        (folder / "expected").mkdir()

    def wanted(self):
        """Of a part, a few combinations are made."""
        self.number += 1
        return not self.part or self.number % 23 == 1

    def expect(self, writer, field, values, must="read"):
        exact = np.asarray(values).astype("f8")
        key = exact.tobytes() + str(exact.shape).encode()
        if key not in self.made:
            self.made[key] = "expected/%d.npy" % len(self.made)
            np.save(self.folder / self.made[key], exact)
        self.lines.append("\t".join([writer, field, self.made[key], must]))


def chunkings(shape):
    yield None
    yield shape
    yield tuple(max(1, (size + 1) // 2) for size in shape)
    yield tuple(min(size, 3) for size in shape)


def with_h5py(matrix):
    compressions = {
        "none": {},
        "gzip": {"compression": "gzip"},
        "gzip-shuffle": {"compression": "gzip", "compression_opts": 9, "shuffle": True},
        "lzf": {"compression": "lzf"},
        "lzf-shuffle-sum": {"compression": "lzf", "shuffle": True, "fletcher32": True},
        "sum": {"fletcher32": True},
    }
    for library in ["earliest", "latest", "v108", "v110"]:
        name = "h5py-%s.h5" % library
        with h5py.File(matrix.folder / name, "w", libver=(library, "latest" if library == "latest" else "v110")) as file:
            types = ["b1"] + INTEGERS + ["f2", "f4", "f8"]
            for dtype, order, shape, (kind, options) in itertools.product(types, "<>", SHAPES, compressions.items()):
                if order == ">" and np.dtype(dtype).itemsize == 1:
                    continue
                for at, chunks in enumerate(chunkings(shape)):
                    if (chunks is None and kind != "none") or not matrix.wanted():
                        continue
                    for grows in ["fixed", "first", "last", "all", "bounded"]:
                        if grows != "fixed" and (chunks is None or at + len(shape) + len(kind) + len(grows) & 3):
                            continue
                        most = {
                            "fixed": None,
                            "first": (None,) + shape[1:],
                            "last": shape[:-1] + (None,),
                            "all": (None,) * len(shape),
                            "bounded": tuple(size + 10 for size in shape),
                        }[grows]
                        where = "%s%s/%d/%s-%d-%s" % (order == ">" and "big-" or "", dtype, len(shape), kind, at, grows)
                        values = cells(shape, dtype, order)
                        if chunks is None:
                            file.create_dataset(where, data=values)
                        else:
                            file.create_dataset(where, data=values, chunks=chunks, maxshape=most, **options)
                        matrix.expect("h5py " + library, name + "/" + where, values)


def with_h5py_oddities(matrix):
    for library in ["earliest", "latest"]:
        name = "odd-%s.h5" % library
        with h5py.File(matrix.folder / name, "w", libver=library, userblock_size=1024 if library == "latest" else 0) as file:
            def make(where, values, must="read", **options):
                made = file.create_dataset(where, data=values, **options)
                matrix.expect("h5py " + library, name + "/" + where, values, must)
                return made

            values = cells((11, 9), "i4")
            for where, options, applied in [("shuffle", {"shuffle": True}, 1), ("gzip", {"compression": "gzip"}, 1),
                                            ("both", {"compression": "gzip", "shuffle": True}, 3)]:
                made = file.create_dataset("skipped/" + where, (11, 9), "<i4", chunks=(11, 9), **options)
                made.id.write_direct_chunk((0, 0), values.tobytes(), filter_mask=applied)
                matrix.expect("h5py " + library, name + "/skipped/" + where, values)
            for count in [1, 7, 100] + [3000] * (not matrix.part):
                long = np.arange(count * 4, dtype="f4")
                make("long/fixed-%d" % count, long, chunks=(4,))
                make("long/filtered-%d" % count, long, chunks=(4,), compression="gzip")
                make("long/growing-%d" % count, long, chunks=(4,), maxshape=(None,))
                make("long/growing-filtered-%d" % count, long, chunks=(4,), maxshape=(None,), compression="lzf")
                wide = np.arange(count * 8, dtype="i2").reshape(2, count * 4)
                make("wide/growing-%d" % count, wide, chunks=(1, 2), maxshape=(None, None), shuffle=True)
                make("wide/last-%d" % count, wide, chunks=(1, 2), maxshape=(2, None))
            sparse = file.create_dataset("sparse", (40, 50), "f8", chunks=(8, 8), fillvalue=-7.5)
            sparse[9:12, 20:30] = 3
            matrix.expect("h5py " + library, name + "/sparse", sparse[...])
            grown = file.create_dataset("sparse-growing", (40, 50), "i2", chunks=(8, 8), maxshape=(None, 50), compression="gzip")
            grown[33:, 41:] = 5
            matrix.expect("h5py " + library, name + "/sparse-growing", grown[...])
            # Indexes of very many chunks have pages.
            for where, most in [("pages-fixed", None), ("pages-growing", (None,)), ("pages-all", (None, None))]:
                shape = (400, 1000) if where == "pages-all" else (400000,)
                paged = file.create_dataset(where, shape, "i2", chunks=(2,) * len(shape), maxshape=most, shuffle=True)
                flat = np.zeros(400000, "i2")
                for at in [0, 5, 20001, 163829, 273333, 399998]:
                    flat[at] = at % 30000 + 1
                    if len(shape) == 1:
                        paged[at] = flat[at]
                    else:
                        paged[at // 1000, at % 1000] = flat[at]
                matrix.expect("h5py " + library, name + "/" + where, flat.reshape(shape))
            matrix.expect("h5py " + library, name + "/empty", file.create_dataset("empty", (4, 5), "i4", fillvalue=9)[...])
            for at in range(40):
                made = make("many/array%02d" % at, np.full((3, 4), at, "u1"))
                if at == 7:
                    for number in range(30):
                        made.attrs["a%02d" % number] = "text %d" % number * 20
                    made.attrs["scale_factor"] = 0.5
                    matrix.lines[-1] = matrix.lines[-1].replace("read", "none")
                    matrix.expect("h5py " + library, name + "/many/array07", made[...] * 0.5)
            file["soft"] = h5py.SoftLink("/many/array03")
            matrix.expect("h5py " + library, name + "/soft", np.full((3, 4), 3))
            file["named type"] = np.dtype("<i4")
            named = file.create_dataset("named", (4, 5), file["named type"], data=values[:4, :5])
            matrix.expect("h5py " + library, name + "/named", named[...])
            make("enum", np.array([[0, 1], [2, 1]], "i1"), dtype=h5py.enum_dtype({"a": 0, "b": 1, "c": 2}, "i1"))
            make("compact-like", np.arange(6.0).reshape(2, 3))
            odd = [("szip", {"compression": "szip"}), ("scaleoffset", {"scaleoffset": 0})]
            for where, options in odd:
                try:
                    make(where, values, "either", chunks=(11, 9), **options)
                except ValueError:
                    pass  # this build has no such filter
            make("complex", np.ones((2, 3), "c8"), "either")
            make("texts", np.array([b"a", b"b"]).astype("S1").view("u1"), "read")


def with_netcdf4(matrix):
    forms = {
        "NETCDF4": ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"],
        "NETCDF4_CLASSIC": ["i1", "i2", "i4", "f4", "f8"],
        "NETCDF3_CLASSIC": ["i1", "i2", "i4", "f4", "f8"],
        "NETCDF3_64BIT_OFFSET": ["i1", "i2", "i4", "f4", "f8"],
        "NETCDF3_64BIT_DATA": ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"],
    }
    for form, types in forms.items():
        for grows, shape in itertools.product([False, True], SHAPES):
            for together in [True, False]:
                options = [{}]
                if form.startswith("NETCDF4"):
                    options += [
                        dict(zlib=zlib, shuffle=shuffle, fletcher32=sums, chunksizes=chunks)
                        for zlib, shuffle, sums in [(True, True, False), (True, False, True), (False, True, True)]
                        for chunks in list(chunkings(shape))[1:]
                    ] + [dict(endian="big"), dict(zlib=True, endian="big")]
                    if not together:
                        continue
                for names in [types] if together else [[dtype] for dtype in types]:
                    if not matrix.wanted():
                        continue
                    name = "%s-%s%d-%s.nc" % (form.lower(), "grows" if grows else "fixed", len(shape), names[0] if len(names) == 1 else "all")
                    with netCDF4.Dataset(matrix.folder / name, "w", format=form) as file:
                        axes = ["axis%d" % axis for axis in range(len(shape))]
                        for axis, size in zip(axes, shape):
                            file.createDimension(axis, None if grows and axis == "axis0" else size)
                        for dtype, (at, option) in itertools.product(names, enumerate(options)):
                            made = file.createVariable("%s_%d" % (dtype, at), dtype, axes, fill_value=False, **option)
                            made.set_auto_maskandscale(False)
                            values = cells(shape, dtype)
                            usual = netCDF4.default_fillvals[dtype]
                            values[values == np.array(usual).astype(dtype)] = 0
                            made[:] = values
                            matrix.expect("netCDF4 " + form, "%s/%s_%d" % (name, dtype, at), values)


def with_netcdf4_meanings(matrix):
    """Packed and missing values, groups, and cells that nobody wrote."""
    for form in ["NETCDF4", "NETCDF3_CLASSIC", "NETCDF3_64BIT_DATA"]:
        name = "meaning-%s.nc" % form.lower()
        with netCDF4.Dataset(matrix.folder / name, "w", format=form) as file:
            place, groups = file, ""
            if form == "NETCDF4":
                place, groups = file.createGroup("model").createGroup("run"), "model/run/"
            file.createDimension("time", None)
            file.createDimension("x", 6)
            for dtype in ["i1", "i2", "i4", "f4", "f8"]:
                filled = place.createVariable("filled_" + dtype, dtype, ("time", "x"), fill_value=-5)
                filled[:] = np.ma.masked_equal(np.arange(24).reshape(4, 6) % 7, 3)
                filled.missing_value = np.array(6, dtype)
                if dtype != "i1":  # netCDF4-python masks a byte that NetCDF gives no meaning
                    bare = place.createVariable("bare_" + dtype, dtype, ("time", "x"))
                    bare[2] = np.arange(6)
                    bare[3, 2:4] = 1
                if dtype == "f4":
                    continue  # netCDF4-python with NumPy 1 unpacks float32 as float32
                packed = place.createVariable("packed_" + dtype, dtype, ("time", "x"), fill_value=99)
                packed.scale_factor = 0.01
                packed.add_offset = 280.0
                packed.valid_range = np.array([-20, 90], dtype)
                packed.set_auto_maskandscale(False)
                packed[:] = np.arange(24).reshape(4, 6) * 4 - 30
            signed = place.createVariable("unsigned", "i1", ("time", "x"))
            signed._Unsigned = "true"
            signed.set_auto_maskandscale(False)
            signed[:] = np.arange(24).reshape(4, 6) * 10 % 256 - 128
        with netCDF4.Dataset(matrix.folder / name) as file:
            for part, variable in (file[groups] if groups else file).variables.items():
                values = np.ma.asarray(variable[:]).astype("f8").filled(np.nan)
                matrix.expect("netCDF4 " + form, "%s/%s%s" % (name, groups, part), values)


def with_scipy(matrix):
    for version, grows, shape in itertools.product([1, 2], [False, True], SHAPES):
        name = "scipy-%d-%d-%s.nc" % (version, len(shape), grows)
        with scipy.io.netcdf_file(matrix.folder / name, "w", version=version) as file:
            axes = ["axis%d" % axis for axis in range(len(shape))]
            for axis, size in zip(axes, shape):
                file.createDimension(axis, None if grows and axis == "axis0" else size)
            for dtype in ["i1", "i2", "i4", "f4", "f8"]:
                values = cells(shape, dtype)
                values[values == np.array(netCDF4.default_fillvals[dtype]).astype(dtype)] = 0
                file.createVariable(dtype, dtype, axes)[:] = values
                matrix.expect("scipy", name + "/" + dtype, values)


def with_xarray(matrix):
    for engine, form in [("netcdf4", "NETCDF4"), ("netcdf4", "NETCDF3_64BIT"), ("scipy", "NETCDF3_CLASSIC")]:
        for shape in SHAPES:
            arrays, encoding = {}, {}
            axes = ["time", "y", "x"][: len(shape)]
            for dtype in ["i1", "i2", "i4", "f4", "f8"] + (["u2", "i8", "b1", "u1"] if form == "NETCDF4" else []):
                values = cells(shape, dtype)
                if dtype != "b1":
                    values[values == np.array(netCDF4.default_fillvals[dtype]).astype(dtype)] = 0
                arrays[dtype] = (axes, values)
            arrays["packed"] = (axes, cells(shape, "f8").clip(-100, 100))
            encoding["packed"] = dict(dtype="i2", scale_factor=0.01, _FillValue=-32767)
            name = "xarray-%s-%s-%d.nc" % (engine, form.lower(), len(shape))
            data = xr.Dataset(arrays, coords={axis: np.arange(size) * 0.5 for axis, size in zip(axes, shape)})
            data.to_netcdf(matrix.folder / name, engine=engine, format=form, encoding=encoding)
            with netCDF4.Dataset(matrix.folder / name) as file:
                for part, variable in file.variables.items():
                    values = np.ma.asarray(variable[:]).astype("f8").filled(np.nan)
                    matrix.expect("xarray " + form, name + "/" + part, values)
                    if len(shape) > 1 and part == "f4":
                        matrix.expect("xarray " + form, name + "/f4[%s=2]" % axes[0], values[2])
                        matrix.expect("xarray " + form, name + "/f4[%s=1:5,%s=-1]" % (axes[-1], axes[0]), values[-1][..., 1:5])


def with_tables(matrix):
    filters = {"none": None, "blosc": ("blosc", False), "blosc-shuffle": ("blosc", True), "blosc:zstd": ("blosc:zstd", True),
               "blosc:zlib": ("blosc:zlib", True), "blosc:lz4hc": ("blosc:lz4hc", True), "blosc:blosclz": ("blosc:blosclz", True),
               "zlib": ("zlib", True), "bzip2": ("bzip2", True), "lzo": ("lzo", True)}
    name = "tables.h5"
    with tables.open_file(str(matrix.folder / name), "w") as file:
        for (kind, option), dtype, shape in itertools.product(filters.items(), ["b1"] + INTEGERS + ["f4", "f8"], SHAPES):
            if not matrix.wanted():
                continue
            where = "%s_%s_%d" % (kind.replace(":", "_").replace("-", "_"), dtype, len(shape))
            values = cells(shape, dtype)
            options = {}
            if option:
                options["filters"] = tables.Filters(complevel=5, complib=option[0], shuffle=option[1])
            file.create_carray("/", where, obj=values, **options)
            matrix.expect("PyTables", name + "/" + where, values, "either" if kind in ["bzip2", "lzo"] else "read")


def with_zarr(matrix):
    compressors = {"none": None, "zlib": numcodecs.Zlib(), "gzip": numcodecs.GZip(), "zstd": numcodecs.Zstd(),
                   "blosc": numcodecs.Blosc(), "bits": numcodecs.Blosc(cname="zstd", shuffle=2),
                   "lz4": numcodecs.LZ4(), "bz2": numcodecs.BZ2(), "lzma": numcodecs.LZMA()}
    group = zarr.open_group(str(matrix.folder / "zarr.zarr"), mode="w")
    for (kind, compressor), dtype, order, layout, shape in itertools.product(
            compressors.items(), ["b1"] + INTEGERS + ["f2", "f4", "f8"], "<>", "CF", SHAPES):
        if order == ">" and np.dtype(dtype).itemsize == 1 or not matrix.wanted():
            continue
        where = "%s-%s%s-%s-%d" % (kind, order == ">" and "big-" or "", dtype, layout, len(shape))
        values = cells(shape, dtype, order)
        made = group.create_dataset(where, shape=shape, chunks=tuple(min(size, 4) for size in shape), order=layout,
                                    dtype=values.dtype, compressor=compressor, fill_value=0)
        made[...] = values
        matrix.expect("zarr-python", "zarr.zarr/" + where, values, "either" if kind in ["lz4", "bz2", "lzma"] else "read")


def make(folder, part):
    matrix = Matrix(folder, part)
    for each in [with_h5py, with_h5py_oddities, with_netcdf4, with_netcdf4_meanings, with_scipy, with_xarray, with_tables, with_zarr]:
        before = len(matrix.lines)
        each(matrix)
        print(each.__name__, len(matrix.lines) - before)
    try:
        from make_rasters import with_rasters
        before = len(matrix.lines)
        with_rasters(matrix)
        print("with_rasters", len(matrix.lines) - before)
    except ImportError as missing:
        print(missing)
    lines = [line for line in matrix.lines if not line.endswith("\tnone")]
    (folder / "manifest.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        target = pathlib.Path(sys.argv[1])
        target.mkdir(parents=True)
        make(target, False)
    else:
        with tempfile.TemporaryDirectory() as temporary:
            make(pathlib.Path(temporary), True)
            pack(pathlib.Path(temporary), HERE / "matrix.zip")
