package org.lacis.net.ofi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@link Libfabric} says of structures and constants is what the C header says. */
class LibfabricLayoutTest {

  private static final Path HEADER = Path.of("/usr/include/rdma/fabric.h");

  /** Lines of a name and what it is in C; a structure before a dot and a member behind it. */
  private static final String TABLE =
      """
      MSG FI_MSG
      RMA FI_RMA
      READ FI_READ
      WRITE FI_WRITE
      RECV FI_RECV
      SEND FI_SEND
      REMOTE_READ FI_REMOTE_READ
      REMOTE_WRITE FI_REMOTE_WRITE
      REMOTE_CQ_DATA FI_REMOTE_CQ_DATA
      COMPLETION FI_COMPLETION
      DELIVERY_COMPLETE FI_DELIVERY_COMPLETE
      CONTEXT FI_CONTEXT
      CONTEXT2 FI_CONTEXT2
      ORDER_SAS FI_ORDER_SAS
      ORDER_STRICT FI_ORDER_STRICT
      MR_LOCAL FI_MR_LOCAL
      MR_VIRT_ADDR FI_MR_VIRT_ADDR
      MR_ALLOCATED FI_MR_ALLOCATED
      MR_PROV_KEY FI_MR_PROV_KEY
      MR_RMA_EVENT FI_MR_RMA_EVENT
      MR_ENDPOINT FI_MR_ENDPOINT
      EP_RDM FI_EP_RDM
      THREAD_DOMAIN FI_THREAD_DOMAIN
      RM_ENABLED FI_RM_ENABLED
      AV_TABLE FI_AV_TABLE
      CQ_FORMAT_DATA FI_CQ_FORMAT_DATA
      CONTROL_ENABLE FI_ENABLE
      WAIT_NONE FI_WAIT_NONE
      EAGAIN -FI_EAGAIN
      EAVAIL -FI_EAVAIL
      ENOTCONN -FI_ENOTCONN
      INFO_NEXT fi_info.next
      INFO_CAPS fi_info.caps
      INFO_MODE fi_info.mode
      INFO_TX_ATTR fi_info.tx_attr
      INFO_RX_ATTR fi_info.rx_attr
      INFO_EP_ATTR fi_info.ep_attr
      INFO_DOMAIN_ATTR fi_info.domain_attr
      INFO_FABRIC_ATTR fi_info.fabric_attr
      TX_OP_FLAGS fi_tx_attr.op_flags
      TX_MSG_ORDER fi_tx_attr.msg_order
      RX_COMP_ORDER fi_rx_attr.comp_order
      TX_INJECT_SIZE fi_tx_attr.inject_size
      RX_SIZE fi_rx_attr.size
      EP_TYPE fi_ep_attr.type
      EP_MAX_MSG_SIZE fi_ep_attr.max_msg_size
      DOMAIN_NAME fi_domain_attr.name
      DOMAIN_THREADING fi_domain_attr.threading
      DOMAIN_RESOURCE_MGMT fi_domain_attr.resource_mgmt
      DOMAIN_AV_TYPE fi_domain_attr.av_type
      DOMAIN_MR_MODE fi_domain_attr.mr_mode
      DOMAIN_MR_KEY_SIZE fi_domain_attr.mr_key_size
      DOMAIN_CQ_DATA_SIZE fi_domain_attr.cq_data_size
      FABRIC_PROV_NAME fi_fabric_attr.prov_name
      FID_OPS fid.ops
      FABRIC_OPS fid_fabric.ops
      DOMAIN_OPS fid_domain.ops
      DOMAIN_MR fid_domain.mr
      AV_OPS fid_av.ops
      CQ_OPS fid_cq.ops
      EP_CM fid_ep.cm
      EP_MSG fid_ep.msg
      EP_RMA fid_ep.rma
      MR_MEM_DESC fid_mr.mem_desc
      MR_KEY fid_mr.key
      OPS_CLOSE fi_ops.close
      OPS_BIND fi_ops.bind
      OPS_CONTROL fi_ops.control
      FABRIC_DOMAIN fi_ops_fabric.domain
      DOMAIN_AV_OPEN fi_ops_domain.av_open
      DOMAIN_CQ_OPEN fi_ops_domain.cq_open
      DOMAIN_ENDPOINT fi_ops_domain.endpoint
      MR_REG fi_ops_mr.reg
      AV_INSERT fi_ops_av.insert
      CQ_READ fi_ops_cq.read
      CQ_READERR fi_ops_cq.readerr
      CM_GETNAME fi_ops_cm.getname
      MSG_RECV fi_ops_msg.recv
      MSG_SEND fi_ops_msg.send
      MSG_INJECT fi_ops_msg.inject
      RMA_READ fi_ops_rma.read
      RMA_WRITEMSG fi_ops_rma.writemsg
      RMA_WRITEDATA fi_ops_rma.writedata
      IOV_LENGTH iovec.iov_len
      IOV_BYTES sizeof(struct iovec)
      RMA_IOV_LENGTH fi_rma_iov.len
      RMA_IOV_KEY fi_rma_iov.key
      RMA_IOV_BYTES sizeof(struct fi_rma_iov)
      MSG_RMA_DESC fi_msg_rma.desc
      MSG_RMA_COUNT fi_msg_rma.iov_count
      MSG_RMA_ADDR fi_msg_rma.addr
      MSG_RMA_RMA_IOV fi_msg_rma.rma_iov
      MSG_RMA_RMA_COUNT fi_msg_rma.rma_iov_count
      MSG_RMA_CONTEXT fi_msg_rma.context
      MSG_RMA_DATA fi_msg_rma.data
      MSG_RMA_BYTES sizeof(struct fi_msg_rma)
      AV_ATTR_TYPE fi_av_attr.type
      AV_ATTR_COUNT fi_av_attr.count
      AV_ATTR_BYTES sizeof(struct fi_av_attr)
      CQ_ATTR_SIZE fi_cq_attr.size
      CQ_ATTR_FORMAT fi_cq_attr.format
      CQ_ATTR_WAIT_OBJ fi_cq_attr.wait_obj
      CQ_ATTR_BYTES sizeof(struct fi_cq_attr)
      ENTRY_CONTEXT fi_cq_data_entry.op_context
      ENTRY_FLAGS fi_cq_data_entry.flags
      ENTRY_LENGTH fi_cq_data_entry.len
      ENTRY_DATA fi_cq_data_entry.data
      ENTRY_BYTES sizeof(struct fi_cq_data_entry)
      ERROR_CODE fi_cq_err_entry.err
      CONTEXT_BYTES sizeof(struct fi_context2)
      """;

  /** Ours alone. */
  private static final List<String> OWN = List.of("VERSION", "ERROR_BYTES");

  @TempDir Path folder;

  @Test
  void everyOffsetAndConstantIsThatOfTheHeader() throws Exception {
    assumeTrue(Files.exists(HEADER), HEADER + " is not here: install libfabric-dev");
    assumeTrue(hasCompiler(), "cc is not here: install gcc");
    Map<String, Long> said = ask();
    Map<String, Long> ours = ours();
    assertThat(ours).containsExactlyInAnyOrderEntriesOf(said);
  }

  @Test
  void anErrorHasRoom() {
    assertThat(Libfabric.ERROR_BYTES).isGreaterThanOrEqualTo(Libfabric.ERROR_CODE + 8 + 16 + 8);
  }

  private static Map<String, Long> ours() throws IllegalAccessException {
    Map<String, Long> values = new LinkedHashMap<>();
    for (Field field : Libfabric.class.getDeclaredFields()) {
      boolean number = field.getType() == int.class || field.getType() == long.class;
      if (number && !OWN.contains(field.getName())) {
        values.put(field.getName(), ((Number) field.get(null)).longValue());
      }
    }
    return values;
  }

  private Map<String, Long> ask() throws IOException, InterruptedException {
    StringBuilder program =
        new StringBuilder(
            """
            #include <stddef.h>
            #include <stdio.h>
            #include <rdma/fabric.h>
            #include <rdma/fi_domain.h>
            #include <rdma/fi_endpoint.h>
            #include <rdma/fi_cm.h>
            #include <rdma/fi_rma.h>
            #include <rdma/fi_errno.h>
            int main(void) {
            """);
    List<String> names = new ArrayList<>();
    for (String line : TABLE.lines().toList()) {
      String[] parts = line.split(" ", 2);
      names.add(parts[0]);
      String[] member = parts[1].split("\\.");
      String value =
          member.length == 2 ? "offsetof(struct " + member[0] + ", " + member[1] + ")" : parts[1];
      program.append("  printf(\"%lld\\n\", (long long) (").append(value).append("));\n");
    }
    Path source = folder.resolve("layout.c");
    Files.writeString(source, program + "  return 0;\n}\n");
    Path binary = folder.resolve("layout");
    run("cc", "-o", binary.toString(), source.toString());
    List<String> values = run(binary.toString());
    Map<String, Long> said = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      said.put(names.get(i), Long.parseLong(values.get(i)));
    }
    return said;
  }

  private static boolean hasCompiler() {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "cc")));
  }

  private List<String> run(String... command) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("%s ends", command[0]).isTrue();
    List<String> lines = Files.readAllLines(output);
    assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
    return lines;
  }
}
