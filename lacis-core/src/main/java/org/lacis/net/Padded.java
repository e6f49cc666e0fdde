package org.lacis.net;

/**
 * Keeps the fields of its subclasses 128 bytes away from whatever object stands before them in
 * memory. Classes with fields that one thread keeps writing extend it, so that no two of their
 * objects share a cache line.
 */
@SuppressWarnings("unused")
public abstract class Padded {
  /** Where the JVM would put a field of a subclass: between the header and the next eight bytes. */
  private int gap;

  private long p00;
  private long p01;
  private long p02;
  private long p03;
  private long p04;
  private long p05;
  private long p06;
  private long p07;
  private long p08;
  private long p09;
  private long p10;
  private long p11;
  private long p12;
  private long p13;
  private long p14;
  private long p15;

  /** For subclasses. */
  protected Padded() {}
}
