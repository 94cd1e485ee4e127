/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes of texts as they are written and read again. */
class PackedBytesTest {
  private static final int START = 24; // where a column begins

  private final Random random = new Random(1);
  private final PackedBytes packed = new PackedBytes();
  private final PackedBytes.Reader reader = new PackedBytes.Reader();

  /** Returns {@code count} texts of up to {@code longest} letters of an alphabet. */
  private List<String> texts(String alphabet, int count, int longest) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder();
      for (int left = random.nextInt(longest + 1); left > 0; left--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      texts.add(text.toString());
    }
    return texts;
  }

  /** Writes and reads texts, requires that they are the same, and returns the bytes they took. */
  private long roundTrip(List<String> texts) {
    byte[] bytes = String.join("", texts).getBytes(StandardCharsets.UTF_8);
    long[] lengths =
        texts.stream().mapToLong(each -> each.getBytes(StandardCharsets.UTF_8).length).toArray();
    long[] among = new long[lengths.length + 3];
    System.arraycopy(lengths, 0, among, 2, lengths.length);
    byte[] target = new byte[START + (int) PackedBytes.mostBytes(bytes.length)];
    Arrays.fill(target, (byte) 0xA5);
    long at = Platform.BYTE_ARRAY_OFFSET + (long) START;
    long end = packed.write(bytes, bytes.length, among, 2, 2 + lengths.length, target, at);
    assertThat(end % Long.BYTES).isEqualTo(at % Long.BYTES);
    assertThat(PackedBytes.next(target, at)).isEqualTo(end);
    byte[] written = Arrays.copyOf(target, (int) (end - Platform.BYTE_ARRAY_OFFSET));
    byte[] read = new byte[8 + (bytes.length + 7) / 8 * 8];
    long to = Platform.BYTE_ARRAY_OFFSET;
    reader.read(written, at, bytes.length, lengths, lengths.length, read, to);
    reader.find(written, at, bytes.length, lengths, lengths.length);
    for (int i = 0; i < bytes.length; i++) {
      assertThat(Platform.getByte(reader.base(), reader.offset() + i)).isEqualTo(bytes[i]);
    }
    assertThat(Arrays.copyOf(read, bytes.length)).isEqualTo(bytes);
    assertThat(Arrays.copyOfRange(read, read.length - 8, read.length)).containsOnly(0);
    return end - at;
  }

  @ParameterizedTest
  @CsvSource({
    "0123456789, 4",
    "0123456789ABCDEF, 4",
    "0123456789abcdef, 4",
    "0123456789ABCDEF., 5",
    "0123456789abcdef-, 5",
    "-01234567890AZ, 5",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ, 5",
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ, 6",
    "+/0123456789abcxyz, 6",
    "!09AZaz~, 8",
    "aüöä, 8",
  })
  void textsTakeTheBitsThatTheirLettersNeed(String alphabet, int bits) {
    for (int count : new int[] {2, 3, 9, 500}) {
      List<String> texts = texts(alphabet, count, 40);
      texts.set(0, alphabet.repeat(12 / alphabet.length() + 1)); // all letters occur
      texts.set(1, new StringBuilder(texts.get(0)).reverse().toString());
      int bytes = String.join("", texts).getBytes(StandardCharsets.UTF_8).length;
      long most = 16 + (bytes * bits + 7) / 8 + 16;
      assertThat(new PackedBytesTest().roundTrip(texts)).isBetween(8L + bytes * bits / 8, most);
    }
  }

  @Test
  void batchesDifferInTheirLetters() {
    for (int batch = 0; batch < 200; batch++) {
      String alphabet = batch % 3 == 0 ? "0123456789" : batch % 7 == 0 ? "abcüz" : "LMNOPQRSTUVW";
      roundTrip(texts(alphabet, random.nextInt(40), 1 + random.nextInt(50)));
    }
  }

  /** What all texts begin or end with is written once; empty texts have neither. */
  @ParameterizedTest
  @CsvSource({"STATION ,''", "'',....", "2026-,Z", "https://example.org/measurements/of/,.csv"})
  void whatTextsHaveInCommonIsWrittenOnce(String begin, String end) {
    for (int count : new int[] {2, 3, 30, 500}) {
      List<String> texts = new ArrayList<>();
      long digits = 0;
      for (String each : texts("0123456789", count, 40)) {
        boolean empty = random.nextInt(5) == 0 && texts.size() > 2;
        texts.add(empty ? "" : begin + each + texts.size() % 7 + end);
        digits += empty ? 0 : each.length() + 1;
      }
      long common = (begin + end).length();
      assertThat(new PackedBytesTest().roundTrip(texts))
          .isBetween(16 + common + digits / 2 - 16, 16 + common + digits / 2 + 32);
    }
  }

  @Test
  void textsThatAreTheSameAreWrittenOnce() {
    assertThat(roundTrip(Collections.nCopies(100, "a text~ü"))).isEqualTo(16 + 16);
    assertThat(roundTrip(List.of("aXa", "aXa", "", "aa"))).as("ends overlap").isEqualTo(16 + 8 + 8);
  }

  @Test
  void textsOfWhichOneIsAsShortAsTheirEnds() {
    roundTrip(List.of("ab", "abab", "ababab", "ab"));
    roundTrip(List.of("", "x", "xx", ""));
    roundTrip(List.of("xyzxyzxyzxyzxyz", "xyz"));
  }

  @Test
  void textsWhoseRestBeginsAlikeAreLeftToTheCodec() {
    List<String> stations = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      stations.add(i % 2 == 0 ? "STATION NORTH " + i : "POST OFFICE " + i);
    }
    long bytes = String.join("", stations).length();
    assertThat(roundTrip(stations)).isEqualTo(8 + (bytes + 7) / 8 * 8);
    assertThat(roundTrip(List.of("A", "B", "C"))).as("short ones").isEqualTo(16);
  }

  /** Other memory is not taken for a text that may need all there is. */
  @Test
  void textsOfMoreThanAMebibyteAreNotTried() {
    String digits = String.join("", texts("0123456789", 30_000, 60)).substring(0, 1 << 19);
    String other = new StringBuilder(digits).reverse().toString();
    assertThat(roundTrip(List.of(digits, other))).isLessThan(8 + (1 << 20) * 5 / 8);
    assertThat(roundTrip(List.of(digits, other, "8"))).isEqualTo(8 + (1 << 20) + 8);
  }

  @Test
  void noBytesTakeAHeader() {
    assertThat(roundTrip(List.of())).isEqualTo(8);
    assertThat(roundTrip(List.of("", "", ""))).isEqualTo(8);
  }

  /** After batches in vain, the next are not looked at; when one is, it is packed again. */
  @Test
  void batchesAreTriedAgainAfterOthersInVain() {
    List<String> mixed = texts("abcMXYZ~!üé", 100, 30);
    List<String> digits = texts("0123456789", 100, 30);
    long whole = new PackedBytesTest().roundTrip(digits);
    for (int i = 0; i < 20; i++) {
      roundTrip(mixed);
    }
    int tried = 0;
    for (int i = 0; i < 300; i++) {
      tried += roundTrip(digits) <= whole ? 1 : 0;
    }
    assertThat(tried).isBetween(1, 299);
  }
}
