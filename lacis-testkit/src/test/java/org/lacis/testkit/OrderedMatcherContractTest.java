package org.lacis.testkit;

import org.junit.jupiter.api.Nested;
import org.lacis.match.ListMatcher;
import org.lacis.match.Matcher;
import org.lacis.match.OrderedMatcher;

class OrderedMatcherContractTest {

  /** Two bits of a key say what a receive leaves open. */
  abstract static class Contract extends MatcherContract {
    @Override
    protected int keyBits() {
      return 62;
    }
  }

  @Nested
  class List extends Contract {
    @Override
    protected Matcher matcher() {
      return new ListMatcher();
    }
  }

  @Nested
  class OneReceive extends Contract {
    @Override
    protected Matcher matcher() {
      return new OrderedMatcher(1, 1);
    }
  }

  @Nested
  class ManyReceives extends Contract {
    @Override
    protected Matcher matcher() {
      return new OrderedMatcher(1024, 8192);
    }
  }

  @Nested
  class Patient extends Contract {
    @Override
    protected Matcher matcher() {
      return new OrderedMatcher(64, 100, 3, false, true);
    }
  }

  @Nested
  class PatientWithManyThreads extends MatcherThreadsContract {
    @Override
    protected Matcher matcher() {
      return new OrderedMatcher(2, 5, 3, false, true);
    }
  }

  @Nested
  class FewReceivesAndManyThreads extends MatcherThreadsContract {
    @Override
    protected Matcher matcher() {
      return new OrderedMatcher(2, 5);
    }
  }

  @Nested
  class ManyReceivesAndManyThreads extends MatcherThreadsContract {
    @Override
    protected Matcher matcher() {
      return new OrderedMatcher(1024, 8192);
    }
  }
}
