// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Binds to the auxiliary device of weft.ko and registers the verbs device.
 */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <net/addrconf.h>

#include "weft_rdma.h"

/* ---- verbs, counted ---- */

static int weft_counted_create_qp(struct ib_qp *ibqp, struct ib_qp_init_attr *attr,
				  struct ib_udata *udata)
{
	return weft_count(to_weft_dev(ibqp->device), WEFT_COUNT_CREATE_QP,
			  weft_create_qp(ibqp, attr, udata));
}

static int weft_counted_modify_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask,
				  struct ib_udata *udata)
{
	return weft_count(to_weft_dev(ibqp->device), WEFT_COUNT_MODIFY_QP,
			  weft_modify_qp(ibqp, attr, mask, udata));
}

static int weft_counted_create_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr,
				  struct uverbs_attr_bundle *attrs)
{
	return weft_count(to_weft_dev(ibcq->device), WEFT_COUNT_CREATE_CQ,
			  weft_create_cq(ibcq, attr, attrs));
}

static struct ib_mr *weft_counted_reg_mr(struct ib_pd *ibpd, u64 start, u64 length, u64 virt,
					 int access, struct ib_udata *udata)
{
	struct ib_mr *mr = weft_reg_user_mr(ibpd, start, length, virt, access, udata);

	weft_count(to_weft_dev(ibpd->device), WEFT_COUNT_REG_MR, PTR_ERR_OR_ZERO(mr));
	return mr;
}

static struct ib_mr *weft_counted_reg_dmabuf(struct ib_pd *ibpd, u64 offset, u64 length, u64 virt,
					     int fd, int access, struct uverbs_attr_bundle *attrs)
{
	struct ib_mr *mr = weft_reg_user_mr_dmabuf(ibpd, offset, length, virt, fd, access, attrs);

	weft_count(to_weft_dev(ibpd->device), WEFT_COUNT_REG_MR, PTR_ERR_OR_ZERO(mr));
	return mr;
}

static struct ib_mr *weft_counted_alloc_mr(struct ib_pd *ibpd, enum ib_mr_type type, u32 max_pages)
{
	struct ib_mr *mr = weft_mem_mgt(to_weft_dev(ibpd->device)) ?
			   weft_alloc_mr(ibpd, type, max_pages) : ERR_PTR(-EOPNOTSUPP);

	weft_count(to_weft_dev(ibpd->device), WEFT_COUNT_REG_MR, PTR_ERR_OR_ZERO(mr));
	return mr;
}

static struct ib_mr *weft_counted_rereg_mr(struct ib_mr *ibmr, int flags, u64 start, u64 length,
					   u64 virt, int access, struct ib_pd *ibpd,
					   struct ib_udata *udata)
{
	struct ib_mr *mr = weft_rereg_user_mr(ibmr, flags, start, length, virt, access, ibpd,
					      udata);

	weft_count(to_weft_dev(ibpd->device), WEFT_COUNT_REREG_MR, PTR_ERR_OR_ZERO(mr));
	return mr;
}

static int weft_counted_connect(struct iw_cm_id *cm_id, struct iw_cm_conn_param *param)
{
	return weft_count_cm(to_weft_dev(cm_id->device), WEFT_COUNT_CONNECT,
			     weft_iw_connect(cm_id, param));
}

static int weft_counted_accept(struct iw_cm_id *cm_id, struct iw_cm_conn_param *param)
{
	return weft_count_cm(to_weft_dev(cm_id->device), WEFT_COUNT_ACCEPT,
			     weft_iw_accept(cm_id, param));
}

static int weft_counted_listen(struct iw_cm_id *cm_id, int backlog)
{
	return weft_count_cm(to_weft_dev(cm_id->device), WEFT_COUNT_LISTEN,
			     weft_iw_create_listen(cm_id, backlog));
}

static int weft_counted_reject(struct iw_cm_id *cm_id, const void *pdata, u8 pdata_len)
{
	return weft_count_cm(to_weft_dev(cm_id->device), WEFT_COUNT_REJECT,
			     weft_iw_reject(cm_id, pdata, pdata_len));
}

#include "weft_verbs_ops.h" /* of other kernels; not in the tree */

static const struct ib_device_ops weft_ops = {
	.owner = THIS_MODULE,
	.driver_id = (enum rdma_driver_id)WEFT_RDMA_DRIVER_ID,
	.uverbs_abi_ver = WEFT_UVERBS_ABI_VERSION,

	.alloc_hw_port_stats = weft_alloc_hw_stats,
	.alloc_mr = weft_counted_alloc_mr,
	.alloc_mw = weft_alloc_mw,
	.alloc_pd = weft_alloc_pd,
	.alloc_ucontext = weft_alloc_ucontext,
	.counter_alloc_stats = weft_counter_alloc_stats,
	.counter_bind_qp = weft_counter_bind_qp,
	.counter_dealloc = weft_counter_dealloc,
	.counter_unbind_qp = weft_counter_unbind_qp,
	.counter_update_stats = weft_counter_update_stats,
	.create_cq = weft_counted_create_cq,
	.create_qp = weft_counted_create_qp,
	.create_srq = weft_create_srq,
	.dealloc_mw = weft_dealloc_mw,
	.dealloc_pd = weft_dealloc_pd,
	.dealloc_ucontext = weft_dealloc_ucontext,
	.dereg_mr = weft_dereg_mr,
	.destroy_cq = weft_destroy_cq,
	.destroy_qp = weft_destroy_qp,
	.destroy_srq = weft_destroy_srq,
	.disassociate_ucontext = weft_disassociate_ucontext,
	.fill_res_cm_id_entry = weft_fill_res_cm_id,
	.fill_res_cq_entry = weft_fill_res_cq,
	.fill_res_mr_entry = weft_fill_res_mr,
	.fill_res_mr_entry_raw = weft_fill_res_mr_raw,
	.fill_res_qp_entry = weft_fill_res_qp,
	.fill_res_qp_entry_raw = weft_fill_res_qp_raw,
	.fill_res_srq_entry = weft_fill_res_srq,
	.get_dev_fw_str = weft_get_fw_str,
	.get_dma_mr = weft_get_dma_mr,
	.get_hw_stats = weft_get_hw_stats,
	.get_port_immutable = weft_get_port_immutable,
	.iw_accept = weft_counted_accept,
	.iw_add_ref = weft_qp_get,
	.iw_connect = weft_counted_connect,
	.iw_create_listen = weft_counted_listen,
	.iw_destroy_listen = weft_iw_destroy_listen,
	.iw_get_qp = weft_qp_find,
	.iw_reject = weft_counted_reject,
	.iw_rem_ref = weft_qp_put,
	.map_mr_sg = weft_map_mr_sg,
	.mmap = weft_mmap,
	.mmap_free = weft_mmap_free,
	.modify_cq = weft_modify_cq,
	.modify_qp = weft_counted_modify_qp,
	.modify_srq = weft_modify_srq,
	.poll_cq = weft_poll_cq,
	.post_recv = weft_post_recv,
	.post_send = weft_post_send,
	.post_srq_recv = weft_post_srq_recv,
	.query_device = weft_query_device,
	.query_gid = weft_query_gid,
	.query_port = weft_query_port,
	.query_qp = weft_query_qp,
	.query_srq = weft_query_srq,
	.reg_user_mr = weft_counted_reg_mr,
	.reg_user_mr_dmabuf = weft_counted_reg_dmabuf,
	.req_notify_cq = weft_req_notify_cq,
	.rereg_user_mr = weft_counted_rereg_mr,
	.resize_cq = weft_resize_cq,

	INIT_RDMA_OBJ_SIZE(ib_cq, weft_cq, ibcq),
	INIT_RDMA_OBJ_SIZE(ib_mw, weft_mw, ibmw),
	INIT_RDMA_OBJ_SIZE(ib_pd, weft_pd, ibpd),
	INIT_RDMA_OBJ_SIZE(ib_qp, weft_qp, ibqp),
	INIT_RDMA_OBJ_SIZE(ib_srq, weft_srq, ibsrq),
	INIT_RDMA_OBJ_SIZE(ib_ucontext, weft_ucontext, ibuc),
};

/* An event of the card: connection events by connection, the rest by object. */
static void weft_event(void *ctx, const __le64 *eqe)
{
	struct weft_dev *dev = ctx;
	u64 kind = WEFT_GET(eqe, EQE_KIND);

	if (kind >= WEFT_EQE_TYPE_CM_CONNECT_REQUEST && kind <= WEFT_EQE_TYPE_CM_CLOSE)
		weft_cm_event(dev, eqe);
	else if (kind == WEFT_EQE_TYPE_QP_ERROR)
		weft_qp_event(dev, eqe);
	else if (kind == WEFT_EQE_TYPE_CQ_ERROR)
		weft_cq_error(dev, WEFT_GET(eqe, EQE_ID));
	else if (kind == WEFT_EQE_TYPE_SRQ_LIMIT)
		weft_srq_event(dev, WEFT_GET(eqe, EQE_ID));
	else if (kind == WEFT_EQE_TYPE_LAST_WQE)
		weft_qp_last_wqe_event(dev, WEFT_GET(eqe, EQE_ID));
}

static void weft_dead(void *ctx)
{
	struct weft_dev *dev = ctx;
	struct ib_event ev = {
		.device = &dev->ibdev,
		.event = IB_EVENT_DEVICE_FATAL,
	};

	/* the card's last entries are older: pairs with weft_flushing */
	smp_store_release(&dev->flushing, true);
	weft_cm_dead(dev);
	weft_cq_wake_all(dev, ~0ul);
	weft_qp_dead(dev);
	weft_keep_dead(dev);
	/* once the device is being unregistered nobody waits for its events any more */
	mutex_lock(&dev->port_state_lock);
	if (dev->registered)
		ib_dispatch_event(&ev);
	mutex_unlock(&dev->port_state_lock);
}

/*
 * A process can lose CQ events, its own and others', as fast as it rings doorbells, and each call of a process's handler
 * takes memory until the process reads it: so the handlers are called ten times a second at most.
 */
#define WEFT_WAKE_PERIOD (HZ / 10)

static void weft_wake_work(struct work_struct *work)
{
	struct weft_dev *dev = container_of(work, struct weft_dev, wake_work.work);

	WRITE_ONCE(dev->woken, jiffies);
	weft_cq_wake_all(dev, atomic_long_xchg(&dev->wake_eqs, 0));
}

static void weft_wake(struct weft_dev *dev, unsigned long eqs)
{
	bool again = time_before(jiffies, READ_ONCE(dev->woken) + WEFT_WAKE_PERIOD);

	atomic_long_or(eqs, &dev->wake_eqs);
	queue_delayed_work(dev->wq, &dev->wake_work, again ? WEFT_WAKE_PERIOD : 0);
}

/* Events were lost: nobody shall wait for one. */
static void weft_lost(void *ctx, unsigned long eqs)
{
	struct weft_dev *dev = ctx;

	if (eqs & ~BIT(0))
		weft_wake(dev, eqs & ~BIT(0));
	if (eqs & BIT(0)) {
		weft_cm_resync(dev);
		weft_qp_resync(dev);
		weft_srq_resync(dev);
	}
}

static void weft_dispatch(struct weft_dev *dev, enum ib_event_type type)
{
	struct ib_event ev = { .device = &dev->ibdev, .event = type, .element.port_num = 1 };

	ib_dispatch_event(&ev);
}

/* What the network device says of the port, told once to whom it matters. Under port_state_lock. */
static void weft_port_tell(struct weft_dev *dev)
{
	const struct weft_port *now = &dev->port, *told = &dev->port_told;

	lockdep_assert_held(&dev->port_state_lock);
	if (!dev->registered)
		return;
	if (!ether_addr_equal(now->mac, told->mac)) /* the GID is made of it */
		weft_dispatch(dev, IB_EVENT_GID_CHANGE);
	if (now->up != told->up)
		weft_dispatch(dev, now->up ? IB_EVENT_PORT_ACTIVE : IB_EVENT_PORT_ERR);
	dev->port_told = dev->port;
}

/* A pulled cable is TCP's affair. An interface that the administrator takes down has no connections. */
static void weft_port_changed(void *ctx, const struct weft_port *port)
{
	struct weft_dev *dev = ctx;

	mutex_lock(&dev->port_state_lock);
	dev->port = *port;
	weft_port_tell(dev);
	mutex_unlock(&dev->port_state_lock);
	weft_l2t_changed(dev);
	if (!netif_running(dev->netdev))
		weft_cm_down(dev);
}

/* Core and clients know the device: they want to hear of its port; or they do no more. */
static void weft_set_registered(struct weft_dev *dev, bool registered)
{
	mutex_lock(&dev->port_state_lock);
	dev->registered = registered;
	weft_port_tell(dev);
	mutex_unlock(&dev->port_state_lock);
}

static const struct weft_client weft_rdma_client = {
	.event = weft_event,
	.cq_event = weft_cq_event,
	.dead = weft_dead,
	.lost = weft_lost,
	.port = weft_port_changed,
	.dump = weft_dump,
};

/* Interrupts come with the locks of those of QPs, CQs and SRQs; xa_init_flags() makes them all one class of lockdep's. */
static struct lock_class_key weft_mrs_key;

static void weft_init_tables(struct weft_dev *dev)
{
	xa_init_flags(&dev->qps, XA_FLAGS_ALLOC1 | XA_FLAGS_LOCK_IRQ);
	xa_init_flags(&dev->cqs, XA_FLAGS_ALLOC | XA_FLAGS_LOCK_IRQ);
	xa_init_flags(&dev->srqs, XA_FLAGS_ALLOC | XA_FLAGS_LOCK_IRQ);
	xa_init_flags(&dev->mrs, XA_FLAGS_ALLOC);
	lockdep_set_class(&dev->mrs.xa_lock, &weft_mrs_key); /* taken with interrupts on */
	ida_init(&dev->pds);
	ida_init(&dev->db_pages);
	ida_init(&dev->counters);
}

static void weft_free_tables(struct weft_dev *dev)
{
	xa_destroy(&dev->qps);
	xa_destroy(&dev->cqs);
	xa_destroy(&dev->srqs);
	xa_destroy(&dev->mrs);
	ida_destroy(&dev->pds);
	ida_destroy(&dev->db_pages);
	ida_destroy(&dev->counters);
}

static int weft_register(struct weft_dev *dev)
{
	struct ib_device *ibdev = &dev->ibdev;
	int rc;

	ibdev->node_type = RDMA_NODE_RNIC;
	ibdev->phys_port_cnt = 1;
	ibdev->num_comp_vectors = weft_core_cq_eqs(dev->core);
	ibdev->dev.parent = &weft_core_pdev(dev->core)->dev;
	if (!weft_core_port_map(dev->core))
		ibdev->iw_driver_flags |= IW_F_NO_PORT_MAP;
	ibdev->local_dma_lkey = 0; /* the STag of all of memory, for those who may use it */
	strscpy(ibdev->iw_ifname, dev->netdev->name, sizeof(ibdev->iw_ifname));
	addrconf_addr_eui48((u8 *)&ibdev->node_guid, dev->netdev->dev_addr);
	ib_set_device_ops(ibdev, &weft_ops);
	rc = ib_device_set_netdev(ibdev, dev->netdev, 1);
	if (rc)
		return rc;
	return ib_register_device(ibdev, "weft%d", &weft_core_pdev(dev->core)->dev);
}

static int weft_rdma_probe(struct auxiliary_device *adev, const struct auxiliary_device_id *id)
{
	struct weft_core *core = to_weft_adev(adev)->core;
	struct weft_dev *dev = ib_alloc_device(weft_dev, ibdev);
	int rc;

	if (!dev)
		return -ENOMEM;
	dev->core = core;
	dev->caps = weft_core_caps(core);
	dev->netdev = weft_core_netdev(core);
	mutex_init(&dev->port_state_lock);
	sema_init(&dev->mw_places, WEFT_MW_PLACES);
	weft_init_tables(dev);
	weft_cm_init(dev);
	weft_qp_init(dev);
	weft_keep_init(dev);
	INIT_DELAYED_WORK(&dev->wake_work, weft_wake_work);
	dev->woken = jiffies - WEFT_WAKE_PERIOD;
	rc = -ENOMEM;
	dev->wq = alloc_workqueue("weft_rdma", WQ_MEM_RECLAIM, 0);
	if (!dev->wq)
		goto err_tables;
	rc = weft_ports_init(dev);
	if (rc)
		goto err_wq;
	rc = weft_l2t_init(dev);
	if (rc)
		goto err_ports;
	rc = weft_core_register_client(core, &weft_rdma_client, dev);
	if (rc)
		goto err_l2t;
	rc = weft_register(dev);
	if (rc)
		goto err_client;
	weft_set_registered(dev, true);
	weft_addrs_changed(dev);
	auxiliary_set_drvdata(adev, dev);
	return 0;

err_client:
	weft_core_unregister_client(core);
	cancel_delayed_work_sync(&dev->wake_work);
	weft_qp_fini(dev);
	weft_keep_fini(dev); /* of consumers that were there for a moment */
	weft_cm_fini(dev);
err_l2t:
	weft_l2t_fini(dev);
err_ports:
	weft_ports_fini(dev);
err_wq:
	destroy_workqueue(dev->wq);
err_tables:
	weft_free_tables(dev);
	ib_dealloc_device(&dev->ibdev);
	return rc;
}

static void weft_rdma_remove(struct auxiliary_device *adev)
{
	struct weft_dev *dev = auxiliary_get_drvdata(adev);

	weft_set_registered(dev, false);
	ib_unregister_device(&dev->ibdev);
	weft_core_unregister_client(dev->core); /* nor does weft_dead run any more */
	cancel_delayed_work_sync(&dev->wake_work);
	weft_qp_fini(dev);
	weft_keep_fini(dev);
	weft_cm_fini(dev);
	weft_l2t_fini(dev);
	weft_ports_fini(dev);
	destroy_workqueue(dev->wq);
	weft_free_tables(dev);
	ib_dealloc_device(&dev->ibdev);
}

static const struct auxiliary_device_id weft_rdma_ids[] = {
	{ .name = "weft." WEFT_ADEV_NAME },
	{}
};
MODULE_DEVICE_TABLE(auxiliary, weft_rdma_ids);

static struct auxiliary_driver weft_rdma_driver = {
	.name = "rdma",
	.probe = weft_rdma_probe,
	.remove = weft_rdma_remove,
	.id_table = weft_rdma_ids,
};

static int __init weft_rdma_start(void)
{
	int rc = weft_ports_start();

	if (rc)
		return rc;
	rc = auxiliary_driver_register(&weft_rdma_driver);
	if (rc)
		weft_ports_stop();
	return rc;
}
module_init(weft_rdma_start);

static void __exit weft_rdma_stop(void)
{
	auxiliary_driver_unregister(&weft_rdma_driver);
	weft_ports_stop();
}
module_exit(weft_rdma_stop);

MODULE_DESCRIPTION("Weft iWARP verbs");
MODULE_LICENSE("Dual BSD/GPL");
