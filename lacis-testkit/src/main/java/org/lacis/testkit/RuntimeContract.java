package org.lacis.testkit;

import org.lacis.LacisOptions;

/**
 * What every runtime does, whatever its network. A subclass per network opens the ranks; each test
 * opens its own.
 *
 * <p>Nothing here counts on an order of messages or on room: tests post until there is some.
 */
public abstract class RuntimeContract
    implements RuntimeOperations,
        RuntimeLists,
        RuntimeListMessages,
        RuntimeListRefusals,
        RuntimeAnyLength,
        RuntimeListTransfers,
        RuntimePostOptions,
        RuntimeAnswers,
        RuntimeInline,
        RuntimePackets,
        RuntimeStatuses,
        RuntimeMatching,
        RuntimeOrdered,
        RuntimeSenderOrder,
        RuntimeClaims,
        RuntimeDevices,
        RuntimeCounters,
        RuntimeDump,
        RuntimeEarly,
        RuntimeQueues,
        RuntimeQueueTaking,
        RuntimeSynchronizers,
        RuntimeFences,
        RuntimeGraphs,
        RuntimeGraphFailures,
        RuntimeRandomGraphs,
        RuntimeHandlers,
        RuntimeChains,
        RuntimeLife,
        RuntimePostTable,
        RuntimeBadCalls,
        RuntimeBadMemory,
        RuntimeRegions,
        RuntimeAtomics,
        RuntimeAtomicThreads,
        RuntimeClosing,
        RuntimePartings,
        RuntimeAfterClose {

  @Override
  public abstract Job open(int ranks, LacisOptions options);
}
