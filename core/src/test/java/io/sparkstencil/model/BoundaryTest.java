/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import org.junit.jupiter.api.Test;

class BoundaryTest {
  private static String around(Boundary boundary, String series, int overshoot) {
    StringBuilder text = new StringBuilder();
    for (long i = -overshoot; i < series.length() + overshoot; i++) {
      long source = boundary.sourceIndex(i, series.length());
      text.append(source < 0 ? '.' : series.charAt((int) source));
    }
    return text.toString();
  }

  @Test
  void continuesASeriesForAnyOvershoot() {
    assertThat(around(Boundary.NEAREST, "abcd", 6)).isEqualTo("aaaaaaabcddddddd");
    assertThat(around(Boundary.REFLECT, "abcd", 9)).isEqualTo("aabcddcbaabcddcbaabcdd");
    assertThat(around(Boundary.MIRROR, "abcd", 7)).isEqualTo("babcdcbabcdcbabcdc");
    assertThat(around(Boundary.WRAP, "abcd", 6)).isEqualTo("cdabcdabcdabcdab");
    assertThat(around(Boundary.SHRINK, "ab", 2)).isEqualTo("..ab..");
    assertThat(around(Boundary.VALID, "ab", 2)).isEqualTo("..ab..");
    assertThat(around(Boundary.constant(7), "ab", 2)).isEqualTo("..ab..");
  }

  @Test
  void continuesASeriesOfOneCell() {
    for (String name : new String[] {"nearest", "reflect", "mirror", "wrap"}) {
      assertThat(around(Boundary.parse(name), "a", 5)).as(name).isEqualTo("a".repeat(11));
    }
  }

  /** Walks outwards step by step, turning around at the ends, where the rule has a formula. */
  @Test
  void reflectsAndMirrorsAsAWalkDoes() {
    for (int cells = 2; cells < 8; cells++) {
      int reflect = 0;
      int reflectStep = 1;
      int mirror = 0;
      int mirrorStep = 1;
      for (int i = 0; i < 60; i++) {
        assertThat(Boundary.REFLECT.sourceIndex(i, cells)).isEqualTo(reflect);
        assertThat(Boundary.REFLECT.sourceIndex(-1 - i, cells)).isEqualTo(reflect);
        assertThat(Boundary.MIRROR.sourceIndex(i, cells)).isEqualTo(mirror);
        assertThat(Boundary.MIRROR.sourceIndex(-i, cells)).isEqualTo(mirror);
        if (reflect + reflectStep < 0 || reflect + reflectStep >= cells) {
          reflectStep = -reflectStep;
        } else {
          reflect += reflectStep;
        }
        if (mirror + mirrorStep < 0 || mirror + mirrorStep >= cells) {
          mirrorStep = -mirrorStep;
        }
        mirror += mirrorStep;
      }
    }
  }

  @Test
  void refusesAWholeNumberThatWouldBecomeAnother() {
    assertThatThrownBy(() -> Boundary.parse("constant:9007199254740993"))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessage(
            "boundary \"constant:9007199254740993\": the constant is a double, and none holds that"
                + " number; the nearest is 9007199254740992");
    assertThatThrownBy(() -> Boundary.parse("constant:-1" + "0".repeat(309)))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("none holds that number; the nearest is -179769313486231570814527");
    assertThatThrownBy(() -> Boundary.parse("constant:-1.5e308000"))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessage(
            "boundary \"constant:-1.5e308000\": the constant is beyond the largest double,"
                + " 1.7976931348623157E308; write a smaller one, or constant:Infinity");
    assertThat(Boundary.parse("constant:-Infinity").constant()).isNegative().isInfinite();
    assertThat(Boundary.parse("constant:-9007199254740992").constant()).isEqualTo(-0x1p53);
    assertThat(Boundary.parse("constant: 4611686018427387904 ").constant()).isEqualTo(0x1p62);
    assertThat(Boundary.parse("constant:0.1").constant()).isEqualTo(0.1);
  }

  @Test
  void readsItsOwnNames() {
    for (String name : new String[] {"valid", "shrink", "nearest", "reflect", "mirror", "wrap"}) {
      assertThat(Boundary.parse(" " + name.toUpperCase(java.util.Locale.ROOT))).hasToString(name);
    }
    for (double value : new double[] {-1.5, -0.0, 1e300, Double.NaN, Double.NEGATIVE_INFINITY}) {
      Boundary constant = Boundary.constant(value);
      assertThat(Boundary.parse(constant.toString())).isEqualTo(constant);
    }
    assertThatThrownBy(() -> Boundary.parse("zero"))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessage(
            "unknown boundary \"zero\"; known boundaries are valid, shrink, nearest, reflect,"
                + " mirror, wrap and constant:C");
    assertThatThrownBy(() -> Boundary.parse("Reflekt"))
        .hasMessageStartingWith(
            "unknown boundary \"Reflekt\"; did you mean reflect? known boundaries are valid,");
    assertThatThrownBy(() -> Boundary.parse("constant:x"))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("constant:0.5");
    assertThatThrownBy(() -> new Boundary(Boundary.Mode.WRAP, 2))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("wrap takes no constant");
  }
}
