package org.lacis.collective;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What blocking calls have built lately, for the next calls with the same arguments. */
final class Recent {

  private static final int KEPT = 8;

  private final List<Entry> entries = new ArrayList<>();

  private record Entry(Call call, Collective<?> built) {}

  @Nullable Collective<?> find(Call call) {
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      if (entry.call.sameAs(call)) {
        return entry.built;
      }
    }
    return null;
  }

  void keep(Call call, Collective<?> built) {
    if (entries.size() == KEPT) {
      entries.removeFirst().built.close();
    }
    entries.add(new Entry(call, built));
  }
}
