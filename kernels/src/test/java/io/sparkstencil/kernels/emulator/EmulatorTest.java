/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Instructions do what the PTX manual says. */
final class EmulatorTest {
  private static final int WARP = 32;
  private static final String ALL = "4294967295";

  private static int first(String... lines) {
    return SmallKernel.storing(lines).run(1, 1)[0];
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sub.s32 %r2, %r0, 5                     | -5
          mul.lo.s32 %r2, 65537, 65537            | 131073
          mad.lo.s32 %r2, -3, 7, 1                | -20
          div.u32 %r2, -1, 3                      | 1431655765
          rem.u32 %r2, -1, 7                      | 3
          rem.s32 %r2, -8, 3                      | -2
          and.b32 %r2, 12, 10                     | 8
          xor.b32 %r2, 12, 10                     | 6
          shl.b32 %r2, 3, 31                      | -2147483648
          shl.b32 %r2, 3, 32                      | 0
          shr.u32 %r2, -1, 28                     | 15
          shr.u32 %r2, -1, 32                     | 0
          shr.s32 %r2, -8, 40                     | -1
          bfe.u32 %r2, 0xABCD, 4, 8               | 188
          bfe.u32 %r2, 0xABCD, 40, 8              | 0
          min.s32 %r2, -1, 1                      | -1
          min.u32 %r2, -1, 1                      | 1
          max.s32 %r2, -1, 1                      | 1
          max.u32 %r2, -1, 1                      | -1
          popc.b32 %r2, 0xF00F                    | 8
          cvt.u32.u64 %r2, 12884901889            | 1
          """)
  void integers(String line, int expected) {
    assertThat(first(line + ";")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          mad.wide.s32 %rd4, -1, 2, 1             | -1
          mad.wide.u32 %rd4, -1, 2, 1             | 8589934591
          mul.wide.s32 %rd4, -3, 1000000000       | -3000000000
          mul.wide.u32 %rd4, 3, 1000000000        | 3000000000
          mad.lo.s64 %rd4, 5000000000, 3, -1      | 14999999999
          add.s64 %rd4, -1, 4294967296            | 4294967295
          cvt.s64.s32 %rd4, -7                    | -7
          or.b64 %rd4, 4294967296, 5              | 4294967301
          and.b64 %rd4, 12884901893, 8589934596   | 8589934596
          xor.b64 %rd4, 12884901893, 8589934596   | 4294967297
          shl.b64 %rd4, 3, 32                     | 12884901888
          shl.b64 %rd4, 3, 64                     | 0
          shr.u64 %rd4, -1, 31                    | 8589934591
          shr.u64 %rd4, -1, 64                    | 0
          shr.s64 %rd4, -8589934592, 33           | -1
          shr.s64 %rd4, -5, 64                    | -1
          """)
  void wideIntegers(String line, long expected) {
    assertThat(half(line, 0)).isEqualTo((int) expected);
    assertThat(half(line, 1)).isEqualTo((int) (expected >> 32));
  }

  private static int half(String line, int which) {
    return first(line + ";", "mov.b64 {%r3, %r4}, %rd4;", "mov.b32 %r2, %r" + (3 + which) + ";");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          add.rn.f32 %f0, %f1, %f2   | 1.0           | 5.9604645E-8   | 1.0
          add.rn.f32 %f0, %f1, %f2   | 1.0E-45       | 1.4E-45        | 2.8E-45
          sub.rn.f32 %f0, %f1, %f2   | 16777216      | -1.0           | 16777216
          mul.rn.f32 %f0, %f1, %f2   | 1.1           | 1.1            | 1.21
          mul.rn.f32 %f0, %f1, %f2   | 1.0E-30       | 1.0E-12        | 1.0E-42
          div.rn.f32 %f0, %f1, %f2   | 1             | 3              | 0.33333334
          div.rn.f32 %f0, %f1, %f2   | 1             | -0.0           | -Infinity
          sqrt.rn.f32 %f0, %f1       | 2             | 0              | 1.4142135
          neg.f32 %f0, %f1           | 0             | 0              | -0.0
          abs.f32 %f0, %f1           | -Infinity     | 0              | Infinity
          cvt.rn.f32.s32 %f0, 16777217 | 0           | 0              | 16777216
          cvt.rn.f32.f64 %f0, 0d3FF0000010000000 | 0 | 0              | 1.0
          """)
  void singles(String line, float a, float b, float expected) {
    String constant = "mov.f32 %%f%d, 0f%08X;";
    int bits =
        first(
            constant.formatted(1, Float.floatToRawIntBits(a)),
            constant.formatted(2, Float.floatToRawIntBits(b)),
            line + ";",
            "mov.b32 %r2, %f0;");
    assertThat(Float.intBitsToFloat(bits)).isEqualTo(expected);
  }

  @Test
  void aFusedOperationIsRoundedOnce() {
    float a = 1 + 0x1p-12f;
    String fused = "fma.rn.f32 %%f0, 0f%1$08X, 0f%1$08X, 0fBF800000;";
    int bits = first(fused.formatted(Float.floatToRawIntBits(a)), "mov.b32 %r2, %f0;");
    assertThat(Float.intBitsToFloat(bits)).isEqualTo(0x1p-11f + 0x1p-24f).isNotEqualTo(a * a - 1);
    double x = 1 + 0x1p-30;
    String wide = "fma.rn.f64 %%fd0, 0d%1$016X, 0d%1$016X, 0dBFF0000000000000;";
    String line = wide.formatted(Double.doubleToRawLongBits(x));
    int low = first(line, "mov.b64 {%r2, %r3}, %fd0;");
    int high = first(line, "mov.b64 {%r3, %r2}, %fd0;");
    double result = Double.longBitsToDouble((long) high << 32 | (low & 0xFFFFFFFFL));
    assertThat(result).isEqualTo(0x1p-29 + 0x1p-60).isNotEqualTo(x * x - 1);
  }

  @ParameterizedTest
  @CsvSource({
    "lt, 1, 2, true",
    "lt, 2, 2, false",
    "lt, NaN, 1, false",
    "le, 2, 2, true",
    "le, 1, NaN, false",
    "eq, -0.0, 0, true",
    "eq, NaN, NaN, false",
    "ne, 1, 2, true",
    "ne, NaN, 1, false",
    "gt, 2, 1, true",
    "ge, 2, 2, true",
    "gtu, 1, 2, false",
    "gtu, 2, 1, true",
    "gtu, NaN, 1, true",
    "ltu, 2, 1, false",
    "ltu, 1, NaN, true",
    "num, 1, 2, true",
    "num, 1, NaN, false",
    "nan, 1, 2, false",
    "nan, NaN, 2, true"
  })
  void comparisons(String relation, double a, double b, boolean holds) {
    String singles =
        "setp.%s.f32 %%p0, 0f%08X, 0f%08X;"
            .formatted(relation, Float.floatToIntBits((float) a), Float.floatToIntBits((float) b));
    String doubles =
        "setp.%s.f64 %%p0, 0d%016X, 0d%016X;"
            .formatted(relation, Double.doubleToLongBits(a), Double.doubleToLongBits(b));
    String select = "selp.b32 %r2, 1, 0, %p0;";
    assertThat(first(singles, select)).isEqualTo(holds ? 1 : 0);
    assertThat(first(doubles, select)).isEqualTo(holds ? 1 : 0);
  }

  @Test
  void integersCompareBySign() {
    assertThat(first("setp.lt.s32 %p0, -1, 1;", "selp.b32 %r2, 1, 0, %p0;")).isEqualTo(1);
    assertThat(first("setp.lt.u32 %p0, -1, 1;", "selp.b32 %r2, 1, 0, %p0;")).isZero();
    assertThat(first("setp.lt.s64 %p0, -1, 1;", "selp.b32 %r2, 1, 0, %p0;")).isEqualTo(1);
    assertThat(first("setp.lt.u64 %p0, -1, 1;", "selp.b32 %r2, 1, 0, %p0;")).isZero();
  }

  @Test
  void aComparisonIsCombinedWithAPredicate() {
    String setUp = "setp.lt.u32 %p0, %r0, 8;";
    String select = "selp.b32 %r2, 1, 0, %p1;";
    int[] both =
        SmallKernel.storing(setUp, "setp.ge.and.s32 %p1, %r0, 4, %p0;", select).run(1, WARP);
    int[] either =
        SmallKernel.storing(setUp, "setp.ge.or.s32 %p1, %r0, 30, %p0;", select).run(1, WARP);
    assertThat(IntStream.range(0, WARP).map(i -> both[i])).containsExactly(bits(4, 8));
    assertThat(IntStream.range(0, 8).map(i -> either[i])).containsOnly(1);
    assertThat(either[8] + either[29]).isZero();
    assertThat(either[30] + either[31]).isEqualTo(2);
  }

  private static Integer[] bits(int from, int to) {
    return IntStream.range(0, WARP)
        .mapToObj(i -> i >= from && i < to ? 1 : 0)
        .toArray(Integer[]::new);
  }

  /** Lanes take as many turns as their number, and then shuffle together. */
  @Test
  void lanesThatWentDifferentWaysMeetAgain() {
    int[] words =
        SmallKernel.storing(
                "mov.u32 %r2, 0;",
                "mov.u32 %r3, %r0;",
                "$again:",
                "setp.eq.s32 %p0, %r3, 0;",
                "@%p0 bra $done;",
                "add.s32 %r2, %r2, 10;",
                "sub.s32 %r3, %r3, 1;",
                "bra $again;",
                "$done:",
                "shfl.sync.down.b32 %r2, %r2, 1, 31, " + ALL + ";")
            .run(1, WARP);
    assertThat(words).startsWith(10, 20, 30);
    assertThat(words[30]).isEqualTo(310);
    assertThat(words[31]).isEqualTo(310);
  }

  @Test
  void shufflesReadOtherLanesOrThemselves() {
    String up = "shfl.sync.up.b32 %r2|%p0, %r0, 2, 0, " + ALL + ";";
    assertThat(SmallKernel.storing(up).run(1, WARP)).startsWith(0, 1, 0, 1, 2);
    assertThat(SmallKernel.storing(up, "selp.b32 %r2, 1, 0, %p0;").run(1, WARP))
        .startsWith(0, 0, 1, 1);
    String index = "shfl.sync.idx.b32 %r2, %r0, 7, 31, " + ALL + ";";
    assertThat(SmallKernel.storing(index).run(1, WARP)).startsWith(7, 7, 7);
  }

  @Test
  void votesCountThoseThatTakePart() {
    String third = "setp.eq.s32 %p0, %r0, 3;";
    String ballot = "vote.sync.ballot.b32 %r2, %p0, 0xffffffff;";
    assertThat(SmallKernel.storing(third, ballot).run(1, WARP)).startsWith(8, 8, 8);
    String any = "activemask.b32 %r4;\nvote.sync.any.pred %p1, %p0, %r4;\nselp.b32 %r2, 1, 0, %p1;";
    String leave = "mov.u32 %r2, 5;\nsetp.lt.s32 %p2, %r0, 8;\n@%p2 bra $end;";
    int[] words = SmallKernel.storing(third, leave, any, "$end:").run(1, WARP);
    assertThat(words).startsWith(5, 5, 5);
    assertThat(words[8] + words[31]).isZero();
  }

  @Test
  void lanesFindThoseThatHaveTheSame() {
    String last = "setp.eq.u32 %p0, %r0, 31;\nselp.b32 %r4, 9, %r3, %p0;";
    String match = "match.any.sync.b32 %r2, %r4, 0xffffffff;";
    int[] words = SmallKernel.storing("and.b32 %r3, %r0, 1;", last, match).run(1, WARP);
    assertThat(words).startsWith(0x5555_5555, 0x2AAA_AAAA, 0x5555_5555);
    assertThat(words[31]).isEqualTo(1 << 31);
  }

  @Test
  void theNumbersOfAllThreadsAreAdded() {
    int[] words =
        SmallKernel.storing(
                "setp.eq.u32 %p0, %r0, 0;",
                "@%p0 st.shared.u32 [%r1], 1000;",
                "bar.sync 0;",
                "mov.u32 %r4, tile;",
                "red.shared.add.u32 [%r4], %r0;",
                "bar.sync 0;",
                "ld.shared.u32 %r2, [%r4];")
            .run(1, 64);
    assertThat(words).startsWith(3016, 3016, 3016);
  }

  @Test
  void theLeastOfAllThreadsIsReduced() {
    int[] words =
        SmallKernel.storing(
                "setp.eq.s32 %p0, %r0, 0;",
                "@%p0 st.shared.u32 [%r1], 1000;",
                "bar.sync 0;",
                "xor.b32 %r3, %r0, 37;",
                "add.s32 %r3, %r3, 5;",
                "mov.u32 %r4, tile;",
                "red.shared.min.u32 [%r4], %r3;",
                "bar.sync 0;",
                "ld.shared.u32 %r2, [%r4];")
            .run(1, 64);
    assertThat(words).startsWith(5, 5, 5);
  }

  @Test
  void bytesAndHalvesAreReadWithoutASign() {
    SmallKernel bytes = SmallKernel.storing("ld.global.nc.u8 %r2, [%rd2+1];");
    bytes.input(List.of(0x81FF, -1));
    assertThat(bytes.run(1, 2)).startsWith(0x81, 0xFF);
    SmallKernel halves = SmallKernel.storing("ld.global.u16 %r2, [%rd2];");
    halves.input(List.of(0x1234_81FF, -1));
    assertThat(halves.run(1, 2)).startsWith(0x81FF, 0xFFFF);
  }

  /** Two pairs of warps use barriers of their own, and count the threads. */
  @Test
  void barriersOfSomeWarpsOrderThoseAlone() {
    int[] words =
        SmallKernel.storing(
                "st.shared.b32 [%r1], %r0;",
                "shr.u32 %r3, %r0, 6;",
                "add.s32 %r3, %r3, 1;",
                "bar.sync %r3, 64;",
                "xor.b32 %r4, %r0, 32;",
                "mov.u32 %r5, tile;",
                "mad.lo.s32 %r5, %r4, 4, %r5;",
                "ld.shared.b32 %r2, [%r5];")
            .run(1, 128);
    assertThat(words).startsWith(32, 33);
    assertThat(words[64]).isEqualTo(96);
    assertThat(words[127]).isEqualTo(95);
  }
}
