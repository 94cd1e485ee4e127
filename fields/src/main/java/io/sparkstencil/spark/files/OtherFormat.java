/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** Formats of files that are no npy files, and what helps where they are given as one. */
public enum OtherFormat {
  /** NetCDF-4 is HDF5. */
  HDF5("an HDF5 or NetCDF-4 file", byPaths(), "894844460d0a1a0a"),
  /** The classic formats of NetCDF. */
  NETCDF3("a NetCDF file", byPaths(), hex("CDF") + "01", hex("CDF") + "02", hex("CDF") + "05"),
  /** GeoTIFF is TIFF, and BigTIFF is both. */
  TIFF(
      "a TIFF file",
      "name the file alone, and a band by a slice, in.tif[0]",
      "49492a00",
      "4d4d002a",
      "49492b00",
      "4d4d002b"),
  /** Several npy files, or a Zarr store, in a zip file. */
  ZIP(
      "a zip file, as npz files and packed Zarr stores are",
      "unpack it, and name one of its arrays",
      hex("PK") + "0304"),
  /** Weather models write it. */
  GRIB(
      "a GRIB file",
      "write it as Zarr, by xarray.open_dataset(\"in.grib\", engine=\"cfgrib\").to_zarr(\"out.zarr\"), and name a variable, out.zarr/NAME",
      hex("GRIB")),
  /** A table. */
  PARQUET(
      "a Parquet file",
      "give its rows by StencilGrids.builder(..).rows(..), or write an array by numpy.save",
      hex("PAR1")),
  /** Any file that was compressed. */
  GZIP("a gzip file", "unpack it", "1f8b08");

  /** The first bytes of a file that tell what it is. */
  public static final int FIRST_BYTES = 8;

  private final String kind;
  private final String remedy;
  private final String begins; // in hexadecimal digits, with | between several

  OtherFormat(String kind, String remedy, String... begins) {
    this.kind = kind;
    this.remedy = remedy;
    this.begins = String.join("|", begins);
  }

  private static String byPaths() {
    return "open it by FieldPaths, which reads several formats, and name one of its arrays, in.nc/NAME";
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Returns the format of a file that begins with some bytes, if it is one of these. */
  public static Optional<OtherFormat> of(ByteBuffer first) {
    byte[] bytes = new byte[first.remaining()];
    first.duplicate().get(bytes);
    String digits = HexFormat.of().formatHex(bytes);
    return Arrays.stream(values())
        .filter(each -> Arrays.stream(each.begins.split("[|]")).anyMatch(digits::startsWith))
        .findFirst();
  }

  /** Returns the failure of reading a file of this format. */
  public FieldFileException unread(StoredFile file) {
    return FieldFileException.unsupported(
        "%s is %s, which is not read here; %s".formatted(file, kind, remedy));
  }
}
