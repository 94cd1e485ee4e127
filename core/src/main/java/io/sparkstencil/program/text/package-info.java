/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Programs and the rules outside their fields as text.
 *
 * <ul>
 *   <li>To read a program: {@code ProgramText} has {@code ProgramParser} read statements and {@code
 *       ExpressionParser} expressions; {@code Tokens} are the words of the text, a {@code Token}
 *       each.
 *   <li>To know names: {@code Scope} has those of the text, {@code Functions} and {@code
 *       FieldFunctions} those of the language.
 *   <li>To read boundaries: {@code BoundaryText}.
 *   <li>To say where a text is wrong: {@code TextPlace}.
 * </ul>
 *
 * <p>Users begin with {@link io.sparkstencil.program.text.ProgramText#parse(String)}. A text that
 * is wrong is refused with an {@link io.sparkstencil.error.InvalidStencilException} that shows the
 * place.
 */
package io.sparkstencil.program.text;
