// SPDX-License-Identifier: BSD-2-Clause
// C interface of the Verilated model: pins in, pins out, nothing else.
#include <cstring>
#include <memory>
#include <string>

#include "Vweft_sim_top.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif

#include "core.h"
#ifdef WEFT_SIM_SHIM
#include <cstdlib>

#include "../block/block.h"
#endif
#ifdef WEFT_SIM_BRIDGE
#include <cstdlib>
#include <deque>

#include "../bridge/bridge.h"
#endif

struct core {
	std::unique_ptr<VerilatedContext> context;
	std::unique_ptr<Vweft_sim_top> top;
	unsigned int beat_bytes = 0;
	uint64_t edges = 0;
#ifdef WEFT_SIM_SHIM
	struct block *block = nullptr;
	uint32_t pins[BLOCK_OUT_WORDS] = {};
	bool in_reset = true;
	std::string fault, told;
#endif
#ifdef WEFT_SIM_BRIDGE
	struct bridge *bridge = nullptr;
	std::deque<uint8_t> to_card, to_host;
	bool in_reset = true, powered = false;
	uint64_t rng = 0; // 0: the line is clean
	weft_rc_in pcie = {};
#endif
#if VM_TRACE
	std::unique_ptr<VerilatedFstC> trace;
	bool traced = false; // the model was once told about a trace
#endif
};

namespace {

// Wide signals are little-endian arrays of 32-bit words, as bytes are on this machine.
template <typename Wide> void get_bytes(uint8_t *to, const Wide &from, unsigned int bytes)
{
	std::memcpy(to, from.data(), bytes);
}

template <typename Wide> void put_bytes(Wide &to, const void *from, unsigned int bytes)
{
	std::memcpy(to.data(), from, bytes);
}

#if !defined(WEFT_SIM_SHIM) && !defined(WEFT_SIM_BRIDGE) && !defined(WEFT_SIM_BOARD)
void put_pcie(Vweft_sim_top &t, const weft_rc_in &in, unsigned int beat)
{
	t.rx_req_valid_i = in.rx_req_valid;
	if (in.rx_req_valid) {
		t.rx_req_last_i = in.rx_req_last;
		t.rx_req_bar_i = in.rx_req_bar;
		put_bytes(t.rx_req_hdr_i, in.rx_req_hdr, 16);
		put_bytes(t.rx_req_data_i, in.rx_req_data, beat);
	}
	t.rx_cpl_valid_i = in.rx_cpl_valid;
	if (in.rx_cpl_valid) {
		t.rx_cpl_last_i = in.rx_cpl_last;
		put_bytes(t.rx_cpl_hdr_i, in.rx_cpl_hdr, 16);
		put_bytes(t.rx_cpl_data_i, in.rx_cpl_data, beat);
	}
	t.tx_rd_ready_i = in.tx_rd_ready;
	t.tx_wr_ready_i = in.tx_wr_ready;
	t.tx_cpl_ready_i = in.tx_cpl_ready;
	t.cfg_bdf_i = in.cfg_bdf;
	t.cfg_bme_i = in.cfg_bme;
	t.cfg_rcb_i = in.cfg_rcb;
	t.cfg_ext_tag_i = in.cfg_ext_tag;
	t.cfg_msix_en_i = in.cfg_msix_en;
	t.cfg_msix_mask_i = in.cfg_msix_mask;
	t.cfg_mps_i = in.cfg_mps;
	t.cfg_mrrs_i = in.cfg_mrrs;
	t.flr_req_i = in.flr_req;
}

void get_pcie(const Vweft_sim_top &t, weft_rc_out &out, unsigned int beat)
{
	out.rx_req_ready = t.rx_req_ready_o;
	out.rx_cpl_ready = t.rx_cpl_ready_o;
	out.tx_rd_valid = t.tx_rd_valid_o;
	if (t.tx_rd_valid_o)
		get_bytes(reinterpret_cast<uint8_t *>(out.tx_rd_hdr), t.tx_rd_hdr_o, 16);
	out.tx_wr_valid = t.tx_wr_valid_o;
	if (t.tx_wr_valid_o) {
		out.tx_wr_last = t.tx_wr_last_o;
		get_bytes(reinterpret_cast<uint8_t *>(out.tx_wr_hdr), t.tx_wr_hdr_o, 16);
		get_bytes(out.tx_wr_data, t.tx_wr_data_o, beat);
	}
	out.tx_cpl_valid = t.tx_cpl_valid_o;
	if (t.tx_cpl_valid_o) {
		get_bytes(reinterpret_cast<uint8_t *>(out.tx_cpl_hdr), t.tx_cpl_hdr_o, 16);
		out.tx_cpl_data = t.tx_cpl_data_o;
	}
	out.flr_done = t.flr_done_o;
}
#endif

#ifdef WEFT_SIM_SHIM
void block_fault(void *ctx, const char *what)
{
	static_cast<core *>(ctx)->fault = what;
}

// WEFT_BLOCK_SEED=N in the environment: N draws how the block behaves. Without it, or 0, it is quick, and straddles TLPs on card a alone.
void block_start(core *c, const char *name)
{
	const char *text = std::getenv("WEFT_BLOCK_SEED");
	uint64_t seed = text ? std::strtoull(text, nullptr, 0) : 0, temper = seed;

	for (const char *p = name; *p; p++)
		temper = (temper ^ static_cast<uint8_t>(*p)) * 0x9e3779b97f4a7c15u, temper ^= temper >> 29;
	c->block = block_new(c->beat_bytes, temper, block_fault, c);
	block_cfg *cfg = block_config(c->block);
	cfg->straddle = seed ? temper & 1 : !std::strcmp(name, "a");
	if (!seed)
		return;
	cfg->stall_wr = (temper >> 8) % 80;
	cfg->stall_cpl = (temper >> 16) % 80;
	cfg->gap_req = (temper >> 24) % 60;
	cfg->gap_cpl = (temper >> 32) % 60;
}
#endif

#ifdef WEFT_SIM_BRIDGE
constexpr uint64_t cycle_ns = 16;

// WEFT_LINE_SEED=N in the environment: a byte in 2,000 is lost, broken or added, each way; on the way to the card twenty of them may be lost, too. Without it, or 0, none is.
void line_start(core *c, const char *name)
{
	const char *text = std::getenv("WEFT_LINE_SEED");
	uint64_t seed = text ? std::strtoull(text, nullptr, 0) : 0;

	c->bridge = bridge_new(c->beat_bytes, 1);
	*bridge_config(c->bridge) = { 1000 * cycle_ns, 20000 * cycle_ns, 4096 * cycle_ns, 65536 * cycle_ns, 1024 };
	if (seed)
		for (const char *p = name; *p; p++)
			seed = (seed ^ static_cast<uint8_t>(*p)) * 0x9e3779b97f4a7c15u | 1;
	c->rng = seed;
}

void line_put(core *c, std::deque<uint8_t> &line, uint8_t byte)
{
	if (c->rng) {
		c->rng ^= c->rng << 13, c->rng ^= c->rng >> 7, c->rng ^= c->rng << 17;
		if ((c->rng >> 20) % 2000 == 0) {
			switch (c->rng >> 56 & 3) {
			case 0:
				return;
			case 1:
				byte ^= static_cast<uint8_t>(1u << (c->rng >> 50 & 7));
				break;
			case 2:
				line.push_back(static_cast<uint8_t>(c->rng >> 40));
				break;
			default:
				for (int i = 0; i < 20 && !line.empty(); i++)
					line.pop_back();
				return;
			}
		}
	}
	line.push_back(byte);
}

// The far end: a frame is made when the one before is out.
void line_begin(core *c, Vweft_sim_top &t, const core_in *in, core_out *out)
{
	bool reset = !in->rst_n;
	uint8_t frame[BRIDGE_FRAME_MAX];

	// A reset of the host's is a new life of it; the board has power since the first.
	if (!reset && c->in_reset)
		bridge_open(c->bridge);
	c->in_reset = reset;
	c->powered |= !reset;
	t.rst_ni = c->powered;
	t.line_tx_ready_i = 1;
	t.line_rx_valid_i = 0;
	bridge_mac(c->bridge, in->mac);
	c->pcie = in->pcie;
	if (reset) {
		out->pcie = weft_rc_out();
		return;
	}
	bridge_begin(c->bridge, &in->pcie, &out->pcie);
	if (c->to_card.empty()) {
		size_t n = bridge_line_out(c->bridge, frame, c->edges * cycle_ns + cycle_ns);

		for (size_t i = 0; i < n; i++)
			line_put(c, c->to_card, frame[i]);
	}
	if (!c->to_card.empty()) {
		t.line_rx_valid_i = 1;
		t.line_rx_data_i = c->to_card.front();
		c->to_card.pop_front();
	}
}

void line_end(core *c)
{
	const Vweft_sim_top &t = *c->top;

	if (c->in_reset)
		return;
	bridge_end(c->bridge, &c->pcie);
	if (t.line_tx_valid_o)
		line_put(c, c->to_host, t.line_tx_data_o);
	while (!c->to_host.empty()) {
		bridge_line_in(c->bridge, &c->to_host.front(), 1, c->edges * cycle_ns + cycle_ns);
		c->to_host.pop_front();
	}
}
#endif

void end_trace(core *c)
{
#if VM_TRACE
	if (c->trace)
		c->trace->close();
#else
	(void)c;
#endif
}

} // namespace

core *core_new(const char *name)
{
	core *c = new core;

	c->context = std::make_unique<VerilatedContext>();
	c->context->randReset(2);
	c->context->randSeed(1);
#if VM_TRACE
	c->context->traceEverOn(true);
#endif
	c->top = std::make_unique<Vweft_sim_top>(c->context.get(), name);
	/* Registers wake with random contents. A reset that is low from the first evaluation on has no falling edge, so registers
	 * that are reset by one (and hold others in reset) would keep theirs over the first rising edge of the clock. */
	c->top->clk_i = c->top->clk_l2_i = 0;
	c->top->rst_ni = 1;
	c->top->eval();
	c->top->rst_ni = 0;
	c->top->eval();
	c->beat_bytes = c->top->beat_bytes_o;
#ifdef WEFT_SIM_SHIM
	block_start(c, name);
#endif
#ifdef WEFT_SIM_BRIDGE
	line_start(c, name);
#endif
	return c;
}

void core_free(core *c)
{
	if (!c)
		return;
	end_trace(c);
	c->top->final();
#ifdef WEFT_SIM_SHIM
	block_free(c->block);
#endif
#ifdef WEFT_SIM_BRIDGE
	bridge_free(c->bridge);
#endif
	delete c;
}

unsigned int core_beat_bytes(const core *c)
{
	return c->beat_bytes;
}

void core_eval(core *c, const core_in *in, core_out *out)
{
	Vweft_sim_top &t = *c->top;

	t.clk_i = t.clk_l2_i = 0;
	t.rst_ni = in->rst_n;
	t.now_ns_i = in->now_ns;
	t.mac_addr_i = in->mac;
	t.link_up_i = in->link_up;
	t.module_out_i = in->module_out;
	t.sda_stuck_i = in->sda_stuck;
	t.scl_stuck_i = in->scl_stuck;
#ifdef WEFT_SIM_SHIM
	uint32_t drive[BLOCK_IN_WORDS] = {};
	c->in_reset = !in->rst_n;
	if (c->in_reset) {
		block_reset(c->block);
		out->pcie = weft_rc_out();
	} else {
		block_begin(c->block, &in->pcie, &out->pcie, drive);
	}
	put_bytes(t.blk_i, drive, sizeof(drive));
#elif defined(WEFT_SIM_BRIDGE)
	line_begin(c, t, in, out);
#elif defined(WEFT_SIM_BOARD)
	t.line_rx_valid_i = in->line_rx_valid;
	t.line_rx_data_i = in->line_rx_data;
	t.line_tx_ready_i = in->line_tx_ready;
#else
	put_pcie(t, in->pcie, c->beat_bytes);
#endif
	t.eth_rx_valid_i = in->eth_rx_valid;
	if (in->eth_rx_valid) {
		t.eth_rx_last_i = in->eth_rx_last;
		t.eth_rx_err_i = in->eth_rx_err;
		t.eth_rx_cnt_i = in->eth_rx_cnt;
		put_bytes(t.eth_rx_data_i, in->eth_rx_data, c->beat_bytes);
	}
	t.eth_tx_ready_i = in->eth_tx_ready;
	t.dbg_cfg_valid_i = in->dbg_cfg_valid;
#ifdef WEFT_SIM_BRIDGE
	// A core in reset answers nobody.
	t.dbg_cfg_valid_i = in->dbg_cfg_valid && bridge_up(c->bridge);
#endif
	t.dbg_cfg_we_i = in->dbg_cfg_we;
	t.dbg_cfg_addr_i = in->dbg_cfg_addr;
	t.dbg_cfg_wdata_i = in->dbg_cfg_wdata;
	t.eval();
#if VM_TRACE
	if (c->trace && c->trace->isOpen())
		c->trace->dump(c->edges * 4);
#endif
	out->idle = t.idle_o;
	out->fault = nullptr;
#ifdef WEFT_SIM_SHIM
	get_bytes(reinterpret_cast<uint8_t *>(c->pins), t.blk_o, sizeof(c->pins));
	out->pcie.flr_done = !c->in_reset && block_flr_done(c->pins);
	out->idle = out->idle && block_idle(c->block);
	c->told.swap(c->fault);
	c->fault.clear();
	if (!c->told.empty())
		out->fault = c->told.c_str();
#elif defined(WEFT_SIM_BRIDGE)
	out->idle = out->idle && bridge_idle(c->bridge) && c->to_card.empty();
	if (bridge_lost(c->bridge))
		out->fault = "the board lost its session";
#elif defined(WEFT_SIM_BOARD)
	out->line_tx_valid = t.line_tx_valid_o;
	out->line_tx_data = t.line_tx_data_o;
#else
	get_pcie(t, out->pcie, c->beat_bytes);
#endif
	out->next_deadline_ns = t.next_deadline_ns_o;
	out->eth_rx_ready = t.eth_rx_ready_o;
	out->eth_rx_pause = t.eth_rx_pause_o;
	out->eth_tx_valid = t.eth_tx_valid_o;
	if (t.eth_tx_valid_o) {
		out->eth_tx_last = t.eth_tx_last_o;
		out->eth_tx_cnt = t.eth_tx_cnt_o;
		get_bytes(out->eth_tx_data, t.eth_tx_data_o, c->beat_bytes);
	}
	out->dbg_cfg_ready = t.dbg_cfg_ready_o;
	out->dbg_cfg_rvalid = t.dbg_cfg_rvalid_o;
#ifdef WEFT_SIM_BRIDGE
	out->dbg_cfg_ready = t.dbg_cfg_ready_o && t.dbg_cfg_valid_i;
#endif
	out->dbg_cfg_err = t.dbg_cfg_err_o;
	out->dbg_cfg_rdata = t.dbg_cfg_rdata_o;
}

void core_edge(core *c)
{
#ifdef WEFT_SIM_SHIM
	// A fault of this edge is told with the next cycle's.
	if (!c->in_reset)
		block_end(c->block, c->pins);
#endif
#ifdef WEFT_SIM_BRIDGE
	line_end(c);
#endif
	c->top->clk_i = 1;
	c->top->clk_l2_i = c->top->l2_run_o;
	c->top->eval();
#if VM_TRACE
	if (c->trace && c->trace->isOpen())
		c->trace->dump(c->edges * 4 + 2);
#endif
	c->edges++;
	c->context->timeInc(4);
}

bool core_trace(core *c, const char *path)
{
#if VM_TRACE
	end_trace(c);
	if (!path)
		return true;
	if (!c->traced) {
		c->trace = std::make_unique<VerilatedFstC>();
		c->top->trace(c->trace.get(), 99);
		c->traced = true;
	}
	c->trace->open(path);
	return c->trace->isOpen();
#else
	(void)c;
	return !path;
#endif
}

void core_trace_flush(core *c)
{
#if VM_TRACE
	if (c->trace && c->trace->isOpen())
		c->trace->flush();
#else
	(void)c;
#endif
}
