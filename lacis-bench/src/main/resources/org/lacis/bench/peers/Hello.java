// The least a program can do: open a runtime, say hello, close it.

import org.lacis.*;

void main() {
  try (var lacis = Lacis.open()) {
    IO.println("hello from rank " + lacis.rank() + " of " + lacis.size());
    lacis.barrier();
  }
}
