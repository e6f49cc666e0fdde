// The smallest program: every rank says who it is.
//
//   lacis run -n 4 examples/Hello.java

import org.lacis.*;

void main() {
  try (var lacis = Lacis.open()) {
    IO.println("rank " + lacis.rank() + " of " + lacis.size());
    lacis.barrier();
  }
}
