/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.doctor;

import java.util.Locale;

/**
 * One thing that the doctor looked at.
 *
 * @param subject what was looked at
 * @param state how it is
 * @param finding what was found
 * @param remedy what to do about it; empty where there is nothing to do
 */
record Check(String subject, State state, String finding, String remedy) {
  /** How the thing looked at is. */
  enum State {
    /** It works. */
    OK,
    /** It is not there or not as it could be; everything else works without it. */
    MISSING,
    /** It does not work and has to be put right. */
    BROKEN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Check ok(String subject, String finding) {
    return new Check(subject, State.OK, finding, "");
  }

  static Check missing(String subject, String finding, String remedy) {
    return new Check(subject, State.MISSING, finding, remedy);
  }

  /** Returns what to put right unless it works. */
  static Check of(boolean works, String subject, String finding, String remedy) {
    return works ? ok(subject, finding) : broken(subject, finding, remedy);
  }

  static Check broken(String subject, String finding, String remedy) {
    return new Check(subject, State.BROKEN, finding, remedy);
  }
}
