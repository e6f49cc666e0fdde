package org.lacis.testkit;

import org.junit.jupiter.api.Nested;
import org.lacis.match.HashMatcher;
import org.lacis.match.Matcher;

class HashMatcherContractTest {

  @Nested
  class OfOneBucket extends MatcherContract {
    @Override
    protected Matcher matcher() {
      return new HashMatcher(1);
    }
  }

  @Nested
  class OfTwoBuckets extends MatcherContract {
    @Override
    protected Matcher matcher() {
      return new HashMatcher(2);
    }
  }

  @Nested
  class OfManyBuckets extends MatcherContract {
    @Override
    protected Matcher matcher() {
      return new HashMatcher();
    }
  }

  @Nested
  class OfOneBucketAndManyThreads extends MatcherThreadsContract {
    @Override
    protected Matcher matcher() {
      return new HashMatcher(1);
    }
  }

  @Nested
  class OfTwoBucketsAndManyThreads extends MatcherThreadsContract {
    @Override
    protected Matcher matcher() {
      return new HashMatcher(2);
    }
  }

  @Nested
  class OfManyBucketsAndManyThreads extends MatcherThreadsContract {
    @Override
    protected Matcher matcher() {
      return new HashMatcher();
    }
  }
}
