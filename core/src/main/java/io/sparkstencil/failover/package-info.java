/**
 * One engine made of several: the first that can, and the next where one fails. Imports the engine
 * interface, staging and the model; knows no engine.
 */
package io.sparkstencil.failover;
