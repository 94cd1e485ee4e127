# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Makes small.zip, whose files the tests of io.sparkstencil.spark.files change and break: an array u in each.

Usage: python3 make_small_files.py    (Debian 12: python3-h5py python3-netcdf4 python3-gdal)
"""
import pathlib
import tempfile

import h5py
import netCDF4
import numpy as np
from osgeo import gdal

from fixture_files import HERE, cells, pack

gdal.UseExceptions()
SHAPE = (6, 7)


def hdf5(folder):
    kinds = {
        "plain": {}, "chunked": dict(chunks=(2, 3)), "gzip": dict(chunks=(4, 4), compression="gzip", shuffle=True, fletcher32=True),
        "lzf": dict(chunks=(4, 4), compression="lzf"), "first": dict(chunks=(1, 3), maxshape=(None, 7), compression="gzip"),
        "all": dict(chunks=(2, 3), maxshape=(None, None)), "single": dict(chunks=SHAPE, compression="gzip"),
    }
    for library in ["earliest", "latest"]:
        for name, options in kinds.items():
            with h5py.File(folder / ("%s-%s.h5" % (library, name)), "w", libver=library) as file:
                made = file.create_dataset("group/u", data=cells(SHAPE, "i2"), **options)
                made.attrs["scale_factor"] = 0.5
                made.attrs["units"] = "K"
                made.attrs["valid_range"] = np.array([-40, 40], "i2")
                if name == "gzip":
                    for number in range(12):
                        file["group/more%d" % number] = number
                        made.attrs["note %d" % number] = "more"


def netcdf(folder):
    for form in ["NETCDF4", "NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA"]:
        for grows in [False, True]:
            with netCDF4.Dataset(folder / ("%s-%s.nc" % (form.lower(), "grows" if grows else "fixed")), "w", format=form) as file:
                group = file.createGroup("group") if form == "NETCDF4" else file
                file.createDimension("y", None if grows else SHAPE[0])
                file.createDimension("x", SHAPE[1])
                for name in ["u", "v"]:
                    made = group.createVariable(name, "i2", ("y", "x"), fill_value=-50)
                    made.set_auto_maskandscale(False)
                    made.units = "K"
                    made.scale_factor = 0.5
                    made[:] = cells(SHAPE, "i2")


def tiff(folder):
    for name, options in {
        "strips": ["BLOCKYSIZE=2"], "lzw": ["COMPRESS=LZW", "PREDICTOR=2", "BLOCKYSIZE=4"], "packbits": ["COMPRESS=PACKBITS"],
        "deflate": ["COMPRESS=DEFLATE", "PREDICTOR=2", "TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"],
        "zstd": ["COMPRESS=ZSTD", "BIGTIFF=YES"], "big": ["ENDIANNESS=BIG", "BIGTIFF=YES"],
    }.items():
        made = gdal.GetDriverByName("GTiff").Create(str(folder / (name + ".tif")), SHAPE[1], SHAPE[0], 2, gdal.GDT_Int16, options)
        made.GetRasterBand(1).SetNoDataValue(-50)
        for band in [1, 2]:
            made.GetRasterBand(band).WriteArray(cells(SHAPE, "i2") + band - 1)
        made.SetGeoTransform([100, 0.5, 0, 49.5, 0, -2])
        made = None


def circle(folder):
    with h5py.File(folder / "circle.h5", "w") as file:
        file["first"] = h5py.SoftLink("/second")
        file["second"] = h5py.SoftLink("/first")


def attributes(folder):
    """Arrays beside attributes that nothing is decoded by, and one whose attribute would be needed."""
    several = {
        "long": {"history": np.bytes_(b"step " * 20000)},
        "numbers": {"flag_values": np.zeros(70000, "i8")},
        "texts": {"comments": ["remark %d" % number for number in range(3000)]},
        "kinds": {
            "pair": np.array((1, 2), [("a", "i4"), ("b", "f8")]), "opaque": np.void(b"bytes"),
            "matrix": np.zeros((3, 3)), "empty": h5py.Empty("f4"), "lists": None,
        },
        "needed": {"valid_range": np.array((1, 2), [("a", "i4"), ("b", "f8")])},
    }
    for name, attributes in several.items():
        with h5py.File(folder / (name + ".h5"), "w", libver="latest") as file:
            made = file.create_dataset("u", data=cells(SHAPE, "i2"))
            made.attrs["scale_factor"] = 0.5
            made.attrs["units"] = "K"
            for key, value in attributes.items():
                if key == "lists":
                    made.attrs.create(key, np.array([np.arange(2), np.arange(3)], dtype=object), dtype=h5py.vlen_dtype("i4"))
                else:
                    made.attrs[key] = value


def brackets(folder):
    with h5py.File(folder / "brackets.h5", "w", libver="latest") as file:
        file.create_dataset("u[0]", data=cells(SHAPE, "i2"))


with tempfile.TemporaryDirectory() as temporary:
    for make in [hdf5, netcdf, tiff, circle, attributes, brackets]:
        folder = pathlib.Path(temporary) / make.__name__
        folder.mkdir()
        make(folder)
    pack(pathlib.Path(temporary), HERE / "small.zip")
