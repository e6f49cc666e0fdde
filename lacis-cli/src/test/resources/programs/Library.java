import org.lacis.Lacis;

/** Says where its library is. */
void main() {
  IO.println(Lacis.class.getProtectionDomain().getCodeSource().getLocation());
}
