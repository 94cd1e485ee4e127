#!/usr/bin/env bash
# BoofCV 1.1.7 and PDL 2.081: the mean of equal integers is another integer, so that rasters drift with every pass.
#
# BoofCV rounds to the nearest integer above 0, and below 0 takes the same half on top before it cuts off the fraction: what is a whole number there comes out
# one too high. A raster that is -10 everywhere has means of -9, and of 0 after twenty passes; a kernel with its one weight on the cell itself changes all cells
# below 0, and so does halving an image. Elevations below the sea, differences and slopes are such rasters. PDL's box2d finds 199.99999999999997 for some
# windows over a raster of 200 and cuts off the fraction: a window of 3 by 3 over any value of bytes has that value less one, one of 5 by 5 has the value.
. "$(dirname "$0")/packages.bash"
maven org.boofcv:boofcv-ip:1.1.7
debian pdl=1:2.081-2
cat > "$TEMP/Look.java" <<'JAVA'
import boofcv.alg.filter.convolve.ConvolveImageMean;
import boofcv.alg.filter.convolve.ConvolveImageNormalized;
import boofcv.alg.filter.misc.AverageDownSampleOps;
import boofcv.struct.convolve.Kernel1D_S32;
import boofcv.struct.image.GrayS16;

public class Look {
  private static GrayS16 raster(int... row) {
    GrayS16 raster = new GrayS16(row.length, 4);
    for (int y = 0; y < raster.height; y++) {
      for (int x = 0; x < row.length; x++) {
        raster.set(x, y, row[x]);
      }
    }
    return raster;
  }

  private static void print(GrayS16 raster) {
    StringBuilder line = new StringBuilder();
    for (int x = 0; x < raster.width; x++) {
      line.append(raster.get(x, 1)).append(' ');
    }
    System.out.println(line.toString().strip());
  }

  private static GrayS16 means(GrayS16 raster) {
    GrayS16 made = new GrayS16(raster.width, raster.height);
    ConvolveImageMean.horizontal(raster, made, 1, 3);
    return made;
  }

  public static void main(String[] args) {
    GrayS16 below = raster(-10, -10, -10, -10, -10, -10);
    print(means(raster(10, 10, 10, 10, 10, 10)));
    print(means(below));
    GrayS16 often = below;
    for (int pass = 0; pass < 20; pass++) {
      often = means(often);
    }
    print(often);
    GrayS16 itself = new GrayS16(6, 4);
    ConvolveImageNormalized.horizontal(new Kernel1D_S32(new int[] {0, 4, 0}, 3), raster(-20, -10, -3, 3, 10, 20), itself);
    print(itself);
    GrayS16 half = new GrayS16(3, 2);
    AverageDownSampleOps.down(below, 2, half);
    print(half);
  }
}
JAVA
cat > "$TEMP/look.pl" <<'PERL'
use PDL;
use PDL::Image2D;
for my $type (\&byte, \&short, \&longlong, \&double) {
  my $raster = $type->(zeroes(9, 9) + 200);
  print join(' ', map { $raster->box2d($_, $_, 0)->at(4, 4) } (1, 3, 5, 7, 9)), "\n";
}
print scalar(grep { byte(zeroes(5, 5) + $_)->box2d(3, 3, 0)->at(2, 2) == $_ - 1 } 1 .. 255), "\n";
print short(zeroes(5, 5) - 10)->box2d(3, 3, 0)->at(2, 2), "\n";
PERL
readarray -t seen < <(java_file "$TEMP/Look.java")
echo 'BoofCV, rows of 16-bit integers'
expect 'means of three cells, all 10' '10 10 10 10 10 10' "${seen[0]:-}"
expect 'means of three cells, all -10' '-9 -9 -9 -9 -9 -9' "${seen[1]:-}"
expect 'the same, twenty times' '0 0 0 0 0 0' "${seen[2]:-}"
expect 'weights 0 4 0, of -20 -10 -3 3 10 20' '-19 -9 -2 3 10 20' "${seen[3]:-}"
expect 'the raster of half the cells, all -10' '-9 -9 -9' "${seen[4]:-}"
PERL_FOLDERS="$TEMP/root/usr/lib/$(uname -m)-linux-gnu/perl5/5.36:$TEMP/root/usr/share/perl5"
readarray -t seen < <(PERL5LIB="$PERL_FOLDERS" perl "$TEMP/look.pl")
echo 'PDL, windows of 1, 3, 5, 7 and 9 cells a side over a raster of 200'
expect 'bytes' '200 199 200 199 199' "${seen[0]:-}"
expect '16-bit integers' '200 199 200 199 199' "${seen[1]:-}"
expect '64-bit integers' '200 199 200 199 199' "${seen[2]:-}"
expect 'doubles' '200 200 200 200 200' "${seen[3]:-}"
expect 'bytes from 1 to 255 whose mean of 3 by 3 is one less' '255' "${seen[4]:-}"
expect '16-bit integers, mean of 3 by 3 over -10' '-9' "${seen[5]:-}"
finish
