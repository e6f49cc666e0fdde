package org.lacis.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PostingCacheTest {

  private final List<Item> made = new ArrayList<>();
  private final PostingCache<Item> cache = new PostingCache<>(this::make);

  private static final class Item extends PostingCache.Kept {
    Item(@Nullable Thread owner) {
      super(owner);
    }
  }

  private synchronized Item make(@Nullable Thread owner) {
    Item item = new Item(owner);
    made.add(item);
    return item;
  }

  @Test
  void aThreadGetsTheSameAgain() {
    Item first = cache.take();
    cache.give(first);
    assertThat(cache.take()).isSameAs(first);
  }

  @Test
  void oneInUseIsNotGivenOut() {
    Item outer = cache.take();
    Item inner = cache.take();
    Item innermost = cache.take();
    assertThat(List.of(outer, inner, innermost)).doesNotHaveDuplicates();
    cache.give(innermost);
    cache.give(inner);
    cache.give(outer);
    List<Item> again = List.of(cache.take(), cache.take(), cache.take());
    assertThat(again).containsExactlyInAnyOrder(outer, inner, innermost);
    assertThat(made).hasSize(3);
  }

  @Test
  void oneThatWasNeverPostedIsReplaced() {
    Item forgotten = cache.take();
    Item next = cache.take();
    assertThat(next).isNotSameAs(forgotten);
    cache.give(next);
    assertThat(cache.take()).isSameAs(next);
  }

  @Test
  void oneThatAnotherThreadHasPostedIsNotUsedAgain() throws Exception {
    Item item = cache.take();
    elsewhere(
        () -> {
          cache.give(item);
          return item;
        });
    for (int i = 0; i < 3; i++) {
      assertThat(cache.take()).isNotSameAs(item);
    }
  }

  @Test
  void whatADeadThreadOwnedGoesToTheNext() throws Exception {
    // So many that each stripe has had one.
    for (int i = 0; i < 8 * Runtime.getRuntime().availableProcessors(); i++) {
      elsewhere(
          () -> {
            Item item = cache.take();
            cache.give(item);
            return item;
          });
    }
    Item mine = cache.take();
    cache.give(mine);
    assertThat(cache.take()).isSameAs(mine);
    int before = made.size();
    cache.give(mine);
    cache.take();
    assertThat(made).hasSize(before);
  }

  private static void elsewhere(Supplier<Item> action)
      throws InterruptedException, ExecutionException, TimeoutException {
    var result = new CompletableFuture<Item>();
    Thread thread = Thread.ofPlatform().start(() -> result.complete(action.get()));
    result.get(10, TimeUnit.SECONDS);
    assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
  }
}
