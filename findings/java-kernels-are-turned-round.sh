#!/usr/bin/env bash
# JDK 17 and 25, java.awt.image.ConvolveOp: kernels are turned round, those of an even width leave out a column, and a sum below 0 is 0 of bytes and
# 65506 of shorts.
#
# A Kernel "specifies how a specified pixel and its surrounding pixels affect the value computed", its origin says which element belongs to the pixel
# itself, and ConvolveOp works "by multiplying the kernel with the surround of the input pixel". That reads as a sum of products where they lie:
# {-1, 0, 1} is right less left. ConvolveOp has left less right, so that slopes and gradients have the other sign. ImageJ's Convolver, with the same
# kernel, has right less left. Of two elements the first belongs to the pixel itself; the other is taken from the left, and the last pixel, both of
# whose cells are there, has the value of an edge. What is out of range is cut off for bytes and wraps round for unsigned shorts. Rasters of signed
# shorts, int and float are "Unable to convolve", though nothing says which types are.
. "$(dirname "$0")/packages.bash"
maven net.imagej:ij:1.54p
cat > "$TEMP/Look.java" <<'JAVA'
import ij.plugin.filter.Convolver;
import ij.process.FloatProcessor;
import java.awt.image.ConvolveOp;
import java.awt.image.DataBuffer;
import java.awt.image.Kernel;
import java.awt.image.PixelInterleavedSampleModel;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;

public class Look {
  private static final int[] CELLS = {10, 20, 40, 70, 70, 40, 20, 10};

  private static String convolved(int type, float... kernel) {
    WritableRaster row = Raster.createWritableRaster(new PixelInterleavedSampleModel(type, CELLS.length, 1, 1, CELLS.length, new int[] {0}), null);
    row.setSamples(0, 0, CELLS.length, 1, 0, CELLS);
    try {
      Raster made = new ConvolveOp(new Kernel(kernel.length, 1, kernel)).filter(row, null); // edges are 0
      StringBuilder line = new StringBuilder();
      for (int x = 0; x < CELLS.length; x++) {
        line.append(made.getSample(x, 0, 0)).append(' ');
      }
      return line.toString().strip();
    } catch (RuntimeException e) {
      return e.getMessage();
    }
  }

  public static void main(String[] args) {
    System.setProperty("java.awt.headless", "true");
    System.out.println(convolved(DataBuffer.TYPE_BYTE, -1, 0, 1));
    System.out.println(convolved(DataBuffer.TYPE_USHORT, -1, 0, 1));
    float[] cells = new float[CELLS.length];
    for (int x = 0; x < cells.length; x++) {
      cells[x] = CELLS[x];
    }
    new Convolver().convolve(new FloatProcessor(cells.length, 1, cells), new float[] {-1, 0, 1}, 3, 1);
    StringBuilder line = new StringBuilder();
    for (float cell : cells) {
      line.append((int) cell).append(' ');
    }
    System.out.println(line.toString().strip());
    System.out.println(convolved(DataBuffer.TYPE_BYTE, 0.5f, 0.5f));
    System.out.println(convolved(DataBuffer.TYPE_BYTE, 0.25f, 0.25f, 0.25f, 0.25f));
    System.out.println(convolved(DataBuffer.TYPE_SHORT, 0, 1, 0));
    System.out.println(convolved(DataBuffer.TYPE_INT, 0, 1, 0));
    System.out.println(convolved(DataBuffer.TYPE_FLOAT, 0, 1, 0));
  }
}
JAVA
readarray -t seen < <(java_file "$TEMP/Look.java")
echo "Java $(java -version 2>&1 | sed -n '1s/.*"\(.*\)".*/\1/p'); the row 10 20 40 70 70 40 20 10"
expect '{-1, 0, 1}, bytes' '0 0 0 0 30 50 30 0' "${seen[0]:-}"
expect '{-1, 0, 1}, unsigned shorts' '0 65506 65486 65506 30 50 30 0' "${seen[1]:-}"
expect '{-1, 0, 1}, ImageJ 1.54p' '10 30 50 30 -30 -50 -30 -10' "${seen[2]:-}"
expect 'means of two, bytes' '0 15 30 55 70 55 30 0' "${seen[3]:-}"
expect 'means of four, bytes' '0 0 35 50 55 50 0 0' "${seen[4]:-}"
expect '{0, 1, 0}, signed shorts' 'Unable to convolve src image' "${seen[5]:-}"
expect '{0, 1, 0}, int' 'Unable to convolve src image' "${seen[6]:-}"
expect '{0, 1, 0}, float' 'Unable to convolve src image' "${seen[7]:-}"
finish
