package org.lacis.match;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ordered matching as it is usually done: a list of the receives and a list of the messages that
 * have not met, searched from the oldest on. A search takes as long as the list is. It is so plain
 * that it can be seen to be right, so others are compared with it.
 */
public final class ListMatcher extends LockedMatcher {

  private static final int RECEIVES = 0;
  private static final int MESSAGES = 1;

  private final EntryList receives = new EntryList();
  private final EntryList messages = new EntryList();

  /** An empty matcher. */
  public ListMatcher() {}

  @Override
  @Nullable MatchEntry post(MatchEntry receive) {
    MatchEntry message = messages.messageFor(receive.key);
    if (message == null) {
      receives.add(receive, RECEIVES);
    } else {
      messages.remove(message);
    }
    return message;
  }

  @Override
  @Nullable MatchEntry arrive(MatchEntry message) {
    MatchEntry receive = receiveFor(message.key, 0);
    if (receive == null) {
      messages.add(message, MESSAGES);
    }
    return receive;
  }

  @Override
  @Nullable MatchEntry receiveFor(long key, int hash) {
    MatchEntry receive = receives.receiveFor(key);
    if (receive != null) {
      receives.remove(receive);
    }
    return receive;
  }

  @Override
  @Nullable MatchEntry messageFor(long key) {
    return messages.messageFor(key);
  }

  @Override
  long receivesSearched(long key, int hash) {
    return receives.upTo(receives.receiveFor(key));
  }

  @Override
  long messagesSearched(long key) {
    return messages.upTo(messages.messageFor(key));
  }

  @Override
  void unlink(MatchEntry entry) {
    (entry.place == RECEIVES ? receives : messages).remove(entry);
  }

  @Override
  void empty(Consumer<MatchEntry> taker) {
    receives.drain(taker);
    messages.drain(taker);
  }

  @Override
  long receiveCount() {
    return receives.size();
  }

  @Override
  long arrivalCount() {
    return messages.size();
  }
}
