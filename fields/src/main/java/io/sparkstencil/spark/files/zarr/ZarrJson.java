/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.ShortText;
import io.sparkstencil.spark.files.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A value in a JSON file of metadata, read strictly.
 *
 * @param place the file and the names that lead to the value, for messages
 * @param node the value
 */
record ZarrJson(String place, JsonNode node) {
  /** The longest file of metadata that is read: each task reads it. */
  private static final int MOST_BYTES = 4 << 20;

  /** The most names, values, and beginnings and ends of lists and objects that it may have. */
  private static final int MOST_TOKENS = 64 << 10;

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          // xarray, netcdf-c and versions of zarr-python write NaN and Infinity without quotes.
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS.mappedFeature());

  /** Reads a file, or nothing if there is none. */
  static Optional<ZarrJson> read(StoredFile file) {
    return file.read(MOST_BYTES)
        .map(
            bytes -> {
              try {
                requireFewTokens(bytes, file);
                JsonNode root = MAPPER.readTree(bytes);
                return new ZarrJson(file.toString(), root == null ? NullNode.instance : root);
              } catch (IOException e) {
                throw FieldFileException.broken(
                    "%s is not JSON: %s; is the file broken?"
                        .formatted(
                            file,
                            ShortText.of(
                                e instanceof JsonProcessingException json
                                    ? json.getOriginalMessage()
                                    : e.getMessage())),
                    e);
              }
            });
  }

  /** A tree takes much more memory than its text: it is made only of a text that has little. */
  private static void requireFewTokens(byte[] bytes, StoredFile file) throws IOException {
    try (JsonParser parser = MAPPER.getFactory().createParser(bytes)) {
      for (int tokens = 0; parser.nextToken() != null; tokens++) {
        if (tokens == MOST_TOKENS) {
          throw FieldFileException.unsupported(
              "%s has more than %d names and values; keep what is not needed to read the array in another file"
                  .formatted(file, MOST_TOKENS));
        }
      }
    }
  }

  /** Returns the text of a document. */
  static byte[] text(Map<String, ?> document) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(document);
    } catch (JsonProcessingException e) {
      throw FieldFileException.wrongCall(
          "attributes cannot be written as JSON: %s; use strings, numbers, lists and maps"
              .formatted(e.getOriginalMessage()));
    }
  }

  /** Returns a value inside this one, or nothing if it is missing or null. */
  Optional<ZarrJson> find(String name) {
    return Optional.ofNullable(node.get(name))
        .filter(found -> !found.isNull())
        .map(found -> new ZarrJson("%s, \"%s\"".formatted(place, ShortText.of(name)), found));
  }

  /** Returns a value inside this one. */
  ZarrJson get(String name) {
    return find(name).orElseThrow(() -> broken("an entry \"" + name + "\""));
  }

  String text() {
    if (!node.isTextual()) {
      throw broken("a string");
    }
    return node.textValue();
  }

  long integer() {
    if (!node.isIntegralNumber() || !node.canConvertToLong()) {
      throw broken("an integer");
    }
    return node.longValue();
  }

  boolean truth() {
    if (!node.isBoolean()) {
      throw broken("true or false");
    }
    return node.booleanValue();
  }

  List<ZarrJson> list() {
    if (!node.isArray()) {
      throw broken("a list");
    }
    List<ZarrJson> values = new ArrayList<>();
    for (JsonNode each : node) {
      values.add(new ZarrJson("%s[%d]".formatted(place, values.size()), each));
    }
    return values;
  }

  List<Long> integers() {
    return list().stream().map(ZarrJson::integer).toList();
  }

  /** Returns the entries as Strings, Numbers, Booleans, Lists and Maps. */
  Map<String, Object> map() {
    if (!node.isObject()) {
      throw broken("an object");
    }
    return MAPPER.convertValue(node, new TypeReference<>() {});
  }

  FieldFileException broken(String wanted) {
    return FieldFileException.broken(
        "%s: expected %s, found %s; is the file broken?".formatted(place, wanted, shortly()));
  }

  FieldFileException unsupported(String what, String remedy) {
    return FieldFileException.unsupported(
        "%s: %s %s is not supported; %s".formatted(place, ShortText.of(what), shortly(), remedy));
  }

  private String shortly() {
    return ShortText.of(node);
  }
}
