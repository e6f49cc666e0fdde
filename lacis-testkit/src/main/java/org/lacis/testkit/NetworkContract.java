package org.lacis.testkit;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What every network does, sentence by sentence of {@code org.lacis.net}. A subclass per network,
 * and per way it can be set up, says how it is opened.
 *
 * <pre>{@code
 * class TcpNetworkContractTest extends NetworkContract {
 *   @Override
 *   public NetworkFabric open(int ranks) {
 *     return LocalFabric.open(ranks, rank -> new TcpNetwork());
 *   }
 * }
 * }</pre>
 */
@ExtendWith(Seeded.class)
public abstract class NetworkContract
    implements NetworkMessages,
        NetworkRefusals,
        NetworkPackets,
        NetworkMemory,
        NetworkTransfers,
        NetworkPieces,
        NetworkAccess,
        NetworkAtomics,
        NetworkDevices,
        NetworkThreads,
        NetworkMix {}
