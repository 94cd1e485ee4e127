/**
 * Declarations of configuration options: key, type, range, default and description in one value,
 * from which reading, checking and documentation are derived. Imports only the errors.
 */
package io.sparkstencil.conf;
