/**
 * How an option is declared: key, type, range, default and text in one value, from which reading,
 * checking and documentation follow. Imports the errors only.
 */
package io.sparkstencil.conf;
