package org.lacis.engine;

import org.jspecify.annotations.Nullable;
import org.lacis.LacisException;
import org.lacis.LacisOptions;
import org.lacis.boot.Boot;
import org.lacis.boot.BootException;
import org.lacis.boot.PeerLoss;
import org.lacis.boot.RankReports;
import org.lacis.net.NetContext;
import org.lacis.net.NetException;
import org.lacis.net.Network;
import org.lacis.settings.Setting;
import org.lacis.settings.Settings;
import org.lacis.settings.UnknownNames;

/** How a runtime comes to be: the launcher is asked, a network chosen, its context opened. */
final class Opening {

  private Opening() {}

  static Engine open(LacisOptions options) {
    // Also those that nothing reads this time: whoever sets them should hear that they are wrong.
    Settings.all().forEach(Setting::value);
    LacisOptions.OwnNetwork own = options.network();
    if (own != null) {
      return open(options, null, own.exchange(), own.network());
    }
    Boot boot;
    try {
      boot = Boot.find(System.getenv(), options.openTimeout());
    } catch (BootException e) {
      throw new LacisException("this process finds no place in its job: " + e.getMessage(), e);
    }
    return open(options, boot, new BootExchange(boot, options.openTimeout()), null);
  }

  private static Engine open(
      LacisOptions options,
      @Nullable Boot boot,
      Network.Exchange exchange,
      @Nullable Network given) {
    if (exchange.rank() == 0) {
      UnknownNames.warn();
    }
    NetContext context = null;
    try {
      Network network =
          given != null
              ? given
              : Networks.choose(options.networkName(), exchange, boot != null && boot.onOneHost());
      context =
          network.open(
              new Network.Setup(
                  exchange,
                  options.sharedBytes(),
                  options.ringCells(),
                  options.injectBytes(),
                  options.openTimeout(),
                  options.detection()));
      Engine engine = new Engine(options, boot, exchange, network.name(), context);
      RankReports.add(engine.report);
      if (boot != null) {
        PeerLoss.add(engine.failures);
      }
      return engine;
    } catch (RuntimeException e) {
      if (context != null) {
        context.close();
      }
      if (boot != null) {
        boot.close();
      }
      String what = "rank " + exchange.rank() + " cannot open the runtime: " + e.getMessage();
      if (e instanceof NetException lost && lost.lostRank() >= 0) {
        throw new LacisException(what, Errors.gone(lost.lostRank(), what));
      }
      throw e instanceof BootException || e instanceof NetException
          ? new LacisException(what, e)
          : e;
    }
  }
}
