# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""The rasters of make_matrix.py: TIFF files of GDAL and rasterio."""
import itertools

import numpy as np
import rasterio
from osgeo import gdal

gdal.UseExceptions()
gdal.PushErrorHandler("CPLQuietErrorHandler")
TYPES = {"u1": gdal.GDT_Byte, "u2": gdal.GDT_UInt16, "i2": gdal.GDT_Int16, "u4": gdal.GDT_UInt32, "i4": gdal.GDT_Int32,
         "u8": gdal.GDT_UInt64, "i8": gdal.GDT_Int64, "f4": gdal.GDT_Float32, "f8": gdal.GDT_Float64}
LAYOUTS = {"strips": ["BLOCKYSIZE=7"], "one-strip": ["BLOCKYSIZE=1000"], "tiles": ["TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"]}
SHAPE = (19, 21)


def with_rasters(matrix):
    from make_matrix import cells

    (matrix.folder / "tiff").mkdir()
    driver = gdal.GetDriverByName("GTiff")

    def write(writer, name, values, options, dtype, must="read", nodata=None, expected=None, driver=driver):
        bands = values.reshape((-1,) + values.shape[-2:])
        path = matrix.folder / "tiff" / name
        source = driver.Create(str(path), bands.shape[2], bands.shape[1], bands.shape[0], dtype, options)
        if nodata is not None:
            source.GetRasterBand(1).SetNoDataValue(nodata)
        for band in range(bands.shape[0]):
            source.GetRasterBand(band + 1).WriteArray(bands[band])
        source.SetGeoTransform([500000, 30, 0, 4600000, 0, -30])
        source = None
        matrix.expect(writer, "tiff/" + name, values if expected is None else expected, must)

    for (kind, dtype), compression, predictor, (layout, blocks), big, order, (bands, interleave) in itertools.product(
            TYPES.items(), ["NONE", "DEFLATE", "LZW", "ZSTD", "PACKBITS", "LZMA", "LERC"], [1, 2, 3], LAYOUTS.items(),
            ["NO", "YES"], ["LITTLE", "BIG"], [(1, "PIXEL"), (3, "PIXEL"), (3, "BAND")]):
        if predictor == 3 and kind[0] != "f" or predictor > 1 and compression not in ["DEFLATE", "LZW", "ZSTD"]:
            continue
        if (order == "BIG" or big == "YES") and interleave == "BAND" or not matrix.wanted():
            continue
        name = "-".join([kind, compression, str(predictor), layout, "big" + big, order, interleave, str(bands)]).lower() + ".tif"
        values = cells((bands,) + SHAPE if bands > 1 else SHAPE, kind)
        options = ["COMPRESS=" + compression, "BIGTIFF=" + big, "ENDIANNESS=" + order, "INTERLEAVE=" + interleave] + blocks
        if predictor > 1:
            options.append("PREDICTOR=%d" % predictor)
        try:
            write("GDAL", name, values, options, dtype, "either" if compression in ["LZMA", "LERC"] or predictor == 3 and order == "BIG" else "read")
        except RuntimeError:
            pass  # this build cannot write it

    # What GDAL says beside the numbers.
    for kind, nodata in [("f4", -9999), ("f4", np.nan), ("f8", -1.7976931348623157e308), ("f4", float(np.float32(-3.4e38))),
                         ("i2", -32768), ("u1", 255), ("u1", 0), ("i4", 7), ("u2", 65535)]:
        values = (np.arange(SHAPE[0] * SHAPE[1]).reshape(SHAPE) % 50).astype(kind)
        values[3, 4:9] = nodata
        expected = values.astype("f8")
        expected[values == np.array(nodata).astype(kind)] = np.nan
        write("GDAL", "nodata-%s-%d.tif" % (kind, matrix.number), values, [], TYPES[kind], nodata=nodata, expected=expected)
        matrix.number += 1
    plain = cells(SHAPE, "i2")
    path = matrix.folder / "tiff" / "scaled.tif"
    write("GDAL", "scaled.tif", plain, [], gdal.GDT_Int16, "none")
    source = gdal.Open(str(path), gdal.GA_Update)
    source.GetRasterBand(1).SetScale(0.01)
    source.GetRasterBand(1).SetOffset(280)
    source = None
    matrix.expect("GDAL", "tiff/scaled.tif", plain.astype("f8") * 0.01 + 280)
    for bits, kind, dtype in [(16, "f4", gdal.GDT_Float32), (24, "f4", gdal.GDT_Float32), (12, "u2", gdal.GDT_UInt16),
                              (1, "u1", gdal.GDT_Byte), (4, "u1", gdal.GDT_Byte)]:
        values = (np.arange(SHAPE[0] * SHAPE[1]).reshape(SHAPE) % 2).astype(kind)
        for compression, predictor in itertools.product(["NONE", "DEFLATE", "ZSTD"], [1, 2, 3]):
            options = ["NBITS=%d" % bits, "COMPRESS=" + compression]
            if predictor > 1:
                options.append("PREDICTOR=%d" % predictor)
            if predictor == 3 and kind != "f4" or predictor > 1 and compression == "NONE":
                continue
            try:
                write("GDAL", "bits-%d-%s-%d.tif" % (bits, compression.lower(), predictor), values, options, dtype, "either")
            except RuntimeError:
                pass
    write("GDAL", "signed.tif", np.arange(256, dtype="u1").reshape(16, 16), ["PIXELTYPE=SIGNEDBYTE"], gdal.GDT_Byte,
          expected=np.arange(256, dtype="u1").view("i1").reshape(16, 16))
    for kind in ["CFloat32", "CInt16"]:
        write("GDAL", kind + ".tif", np.ones((4, 5), "c8"), [], getattr(gdal, "GDT_" + kind), "either", expected=np.ones((4, 5)))
    write("GDAL", "jpeg.tif", np.ones((16, 16), "u1"), ["COMPRESS=JPEG"], gdal.GDT_Byte, "either")
    sparse = driver.Create(str(matrix.folder / "tiff" / "sparse.tif"), 64, 64, 1, gdal.GDT_Float32, ["SPARSE_OK=YES", "TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"])
    sparse.GetRasterBand(1).SetNoDataValue(-1)
    sparse.GetRasterBand(1).WriteArray(np.full((16, 16), 5, "f4"), 16, 32)
    sparse = None
    expected = np.full((64, 64), np.nan)
    expected[32:48, 16:32] = 5
    matrix.expect("GDAL", "tiff/sparse.tif", expected)
    masked = str(matrix.folder / "tiff" / "masked.tif")
    gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES")
    write("GDAL", "masked.tif", np.ones((16, 16), "u1"), [], gdal.GDT_Byte, "either")
    source = gdal.Open(masked, gdal.GA_Update)
    source.CreateMaskBand(gdal.GMF_PER_DATASET)
    source = None
    gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "NO")

    # Cloud-optimised files, with overviews.
    memory = gdal.GetDriverByName("MEM")
    for (kind, dtype), compression, predictor, bands in itertools.product(
            TYPES.items(), ["NONE", "DEFLATE", "LZW", "ZSTD"], ["NO", "YES"], [1, 4]):
        if compression == "NONE" and predictor == "YES" or not matrix.wanted():
            continue
        values = np.tile(cells((10, 15), kind), (bands, 14, 10)) if bands > 1 else np.tile(cells((10, 15), kind), (14, 10))
        source = memory.Create("", 150, 140, bands, dtype)
        for band in range(bands):
            source.GetRasterBand(band + 1).WriteArray(values.reshape(bands, 140, 150)[band])
        name = "cog-%s-%s-%s-%d.tif" % (kind, compression.lower(), predictor.lower(), bands)
        gdal.GetDriverByName("COG").CreateCopy(
            str(matrix.folder / "tiff" / name), source,
            options=["COMPRESS=" + compression, "PREDICTOR=" + predictor, "BLOCKSIZE=128"])
        matrix.expect("GDAL COG", "tiff/" + name, values)

    for kind, compression, predictor, tiled, bands in itertools.product(
            ["u1", "u2", "i2", "u4", "i4", "f4", "f8"], [None, "deflate", "lzw", "zstd", "packbits"], [1, 2, 3], [False, True], [1, 2]):
        if predictor == 3 and kind[0] != "f" or predictor > 1 and compression in [None, "packbits"] or not matrix.wanted():
            continue
        values = cells((bands,) + SHAPE, kind)
        name = "rasterio-%s-%s-%d-%s-%d.tif" % (kind, compression, predictor, tiled, bands)
        options = {"compress": compression, "predictor": predictor} if compression else {}
        if tiled:
            options.update(tiled=True, blockxsize=16, blockysize=16)
        with rasterio.open(matrix.folder / "tiff" / name, "w", driver="GTiff", height=SHAPE[0], width=SHAPE[1], count=bands,
                           dtype=np.dtype(kind).name, **options) as file:
            file.write(values)
        matrix.expect("rasterio", "tiff/" + name, values if bands > 1 else values[0])
        if bands > 1:
            matrix.expect("rasterio", "tiff/" + name + "[1]", values[1])
