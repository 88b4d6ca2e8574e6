"""Invented logs, one per format; no line comes from a real centre."""

from __future__ import annotations

SACCT_NAMES = (
    "JobID|JobIDRaw|Cluster|Partition|QOS|Account|Group|User|Submit|Eligible|Start|End|Elapsed|"
    "State|NNodes|NCPUS|ReqMem|AllocTRES|Timelimit|NodeList"
)

# Job 11 was held for an hour, 12 is a task of an array, 13 was cancelled in the queue, and 14 is
# running.
SACCT = "\n".join(
    [
        SACCT_NAMES,
        "11|11|own|batch|normal|physics|staff|änne|2024-01-01T00:00:00|2024-01-01T01:00:00|"
        "2024-01-01T02:00:00|2024-01-01T03:30:00|01:30:00|COMPLETED|2|16|2000Mc|"
        "billing=16,cpu=16,gres/gpu=4,mem=32000M,node=2|02:00:00|n[1-2]",
        "11.batch|11.batch|own|||physics|||2024-01-01T02:00:00|2024-01-01T02:00:00|"
        "2024-01-01T02:00:00|2024-01-01T03:30:00|01:30:00|COMPLETED|1|8||||n1",
        "12_3|15|own|debug|high|physics|staff|bob|2024-01-01T00:10:00|2024-01-01T00:10:00|"
        "2024-01-01T00:10:05|2024-01-02T00:10:05|1-00:00:00|TIMEOUT|1|4|16Gn|"
        "billing=4,cpu=4,mem=16G,node=1|1-00:00:00|n3",
        "13|13|own|batch|normal|chemistry|staff|eve|2024-01-01T00:20:00|Unknown|Unknown|"
        "2024-01-01T00:30:00|00:00:00|CANCELLED by 1001|0|0|0n||UNLIMITED|None assigned",
        "14|14|own|batch|normal|chemistry|staff|eve|2024-01-01T00:40:00|2024-01-01T00:40:00|"
        "2024-01-01T01:00:00|Unknown|05:00:00|RUNNING|1|1|1Gc|cpu=1|08:00:00|n4",
        "",
    ]
)

XDMOD = "".join(
    f"{job}|{job}|own|batch|normal|physics|staff|100|{user}|1{job}|2024-02-01T00:00:{at:02d}|"
    f"2024-02-01T00:00:{at:02d}|2024-02-01T00:05:00|2024-02-01T00:15:00|00:10:00|0:0|{state}|1|"
    f"{cpus}|{cpus}|1G|cpu={cpus}|cpu={cpus}|Partition_Limit|n1|name|with|bars\n"
    for job, user, at, state, cpus in (
        (21, "ann", 1, "COMPLETED", 8),
        (22, "bob", 2, "CANCELLED by 122", 4),
        (23, "ann", 3, "FOO", 2),
        (24, "ann", 4, "FAILED", 1),
    )
)

PBS = "\n".join(
    [
        "01/02/2024 03:04:05;Q;31.own;queue=batch",
        # exec_host lists 16 processors, on 2 nodes of 8. The job was eligible 60 s after
        # submission.
        "01/02/2024 03:04:05;E;31.own;user=ann group=staff account=physics jobname=a b=c "
        "queue=batch ctime=1700000000 qtime=1700000000 etime=1700000060 start=1700000100 "
        "exec_host=n1/0*8+n2/0-7 Resource_List.ncpus=16 Resource_List.nodect=2 "
        "Resource_List.walltime=01:00:00 end=1700000400 Exit_status=0 "
        "resources_used.walltime=00:05:00 run_count=1",
        # Torque: 3 nodes of ppn=4 with 2 GPUs each; signal 15 (256 + 15) ended the job.
        "01/02/2024 03:05:05;E;32[7].own;user=bob group=staff jobname=x queue=gpu ctime=1700000010 "
        "qtime=1700000010 etime=1700000010 start=1700000010 "
        "Resource_List.nodes=3:ppn=4:gpus=2:fast Resource_List.walltime=24:00:00 "
        "end=1700000110 Exit_status=271",
        "",
    ]
)


def lsf_line(job: int, hosts: list[str], run_limit: int, status: int = 64) -> str:
    """Write a JOB_FINISH line: 8 slots, submitted at 1700000000, waited for 10 s, ran for 60 s."""
    named = " ".join(f'"{host}"' for host in hosts)
    usage = " ".join("0" for _ in range(19))
    # Fields: mail, project, exit status, slots, shell, event, index, memory, swap, and the other
    # fields up to the attributes.
    behind = (
        '"" "physics" 0 8 "" "" 0 0 0 "" "" "" "" 0 "" 0 "" -1 "/x" "" "" "" -1 "" "" 6160 "" 0 '
        '"" ""'
    )
    rusage = " ".join(f"{host} 1 0 1 1 0" for host in hosts)
    return (
        f'"JOB_FINISH" "10.1" 1700000070 {job} 1001 33554434 8 1700000000 0 0 1700000010 "ann" '
        f'"normal" "" "" "" "login" "/home" "" "" "" "1700000000.{job}" 0 {len(hosts)} {named} '
        f'{status} 60.0 "a ""quoted"" name" "sleep 60" {usage} {behind} 0 '
        f'{len(hosts)} {rusage} {run_limit} 0 0 ""\n'
    )


LSF = (
    '"JOB_NEW" "10.1" 1700000000 41\n'
    + lsf_line(41, ["8*n1"], 3600)
    + lsf_line(42, ["n1", "n1", "n2", "n2"], 0, 32)
)


def sge_line(job: int, times: tuple[int, int, int], exit_status: int = 0) -> str:
    """Write a line of 45 fields, for a job on 4 slots with an h_rt of 2 hours."""
    submit, start, end = times
    return (
        f"all.q:n1:staff:ann:name:{job}:sge:0:{submit}:{start}:{end}:0:{exit_status}:60"
        + ":0" * 17
        + ":physics:dep:mpi:4:0:60.1:7.3:0.1:-l h_rt=7200,mem_free=1G -pe mpi 4:0.0:NONE:100:0:0\n"
    )


SGE = (
    "# Version: 8.1\n# comment\n"
    + sge_line(51, (1700000000, 1700000030, 1700000090))
    + sge_line(52, (1700000005000, 1700000040999, 1700000100000), 1)  # milliseconds, as in UGE
    + sge_line(53, (1700000006, 0, 0))  # never started
)

SLURMDBD = """\
id_job,id_array_job,id_user,id_qos,account,partition,cpus_req,mem_req,nodes_alloc,nodelist,priority,\
state,timelimit,time_submit,time_eligible,time_start,time_end,tres_req,tres_alloc
61,0,1001,1,physics,batch,4,100,1,n1,5,3,60,1700000000,1700000100,1700000200,1700000500,\
"1=4,2=100,4=1","1=8,2=100,4=1"
62,0,1002,1,physics,batch,4,100,0,,5,4,60,1700000000,1700000100,0,1700000500,"1=4",""
"""

SACCT_JSON = """\
{"meta": {"slurm": {"version": {"major": 23}}}, "jobs": [
 {"job_id": 71, "array": {"job_id": 0, "task_id": {"set": false, "number": 0}}, "cluster": "own",
  "user": "ann", "group": "staff", "account": "physics", "partition": "batch", "qos": "normal",
  "nodes": "n[1-2]", "allocation_nodes": 2, "state": {"current": ["COMPLETED"]},
  "time": {"submission": 1700000000, "eligible": 1700000005, "start": 1700000010,
           "end": 1700000110, "elapsed": 100,
           "limit": {"set": true, "infinite": false, "number": 30}},
  "tres": {"allocated": [{"type": "cpu", "name": "", "count": 64},
                         {"type": "gres", "name": "gpu", "count": 8},
                         {"type": "node", "name": "", "count": 2}],
           "requested": [{"type": "mem", "name": "", "count": 1024}]}},
 {"job_id": 72, "array": {"job_id": 70, "task_id": 5}, "cluster": "own", "user": "bob",
  "state": {"current": "RUNNING"}, "time": {"submission": 1700000001, "start": 1700000002,
  "end": 0, "limit": 5}, "tres": {"allocated": []}}
]}
"""

ALIBABA = """\
name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,\
scheduled_time
pod-1,1500,1024,1,500,,LS,Running,0,100,10
pod-2,32000,2048,2,1000,V100M16|V100M32,BE,Succeeded,5,105,5
pod-3,1000,1,0,0,,BE,Pending,7,107,
"""

EAGLE = """\
job_id,user,account,partition,qos,wallclock_req,nodes_req,processors_req,gpus_req,mem_req,\
submit_time,start_time,end_time,run_time,state,name,work_dir,submit_line
81,ann,physics,short,normal,3600.0,2,72,0,0.0,2019-07-01 12:00:00,2019-07-01 12:00:30,\
2019-07-01 12:10:30,600.0,COMPLETED,n,w,s
82,bob,physics,short,high,7200.0,1,1,2,0.0,2019-07-01 12:01:00,2019-07-01 12:01:00,\
2019-07-01 14:01:00,7200.0,TIMEOUT,n,w,s
"""

COBALT = """\
JOB_NAME,COBALT_JOBID,MACHINE_NAME,QUEUED_TIMESTAMP,START_TIMESTAMP,END_TIMESTAMP,USERNAME_GENID,\
PROJECT_NAME_GENID,QUEUE_NAME,WALLTIME_SECONDS,RUNTIME_SECONDS,NODES_USED,NODES_REQUESTED,LOCATION,\
EXIT_STATUS,ELIGIBLE_WAIT_SECONDS
x,91.0,own,2022-01-01 00:00:00.250000,2022-01-01 01:00:00,2022-01-01 02:00:00,7,8,prod,7200.0,\
3600.0,128.0,128.0,MIR-0,0,600.0
"""

EVALYS = """\
job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,\
final_state,starting_time,execution_time,finish_time,waiting_time
1,w,d,0.0,4,100.0,1,COMPLETED_SUCCESSFULLY,0.5,10.25,10.75,0.5
2,w,d,1.0,2,10.0,0,COMPLETED_WALLTIME_REACHED,1.0,10.0,11.0,0.0
3,w,d,2.0,900,10.0,0,REJECTED,-1,-1,-1,-1
"""

BATSIM = """\
{"nb_res": 8, "jobs": [
  {"id": "w!1", "subtime": 0, "walltime": 100, "res": 4, "profile": "d"},
  {"id": 2, "subtime": 1.5, "walltime": -1, "res": 2, "profile": "twice"},
  {"id": 3, "subtime": 2, "walltime": 50, "res": 1, "profile": "work"}],
 "profiles": {"d": {"type": "delay", "delay": 20},
  "twice": {"type": "composed", "repeat": 2, "seq": ["d", "d"]},
  "work": {"type": "parallel", "cpu": [1]}}}
"""

ALL = {
    "sacct": SACCT,
    "sacct-xdmod": XDMOD,
    "pbs": PBS,
    "lsf": LSF,
    "sge": SGE,
    "slurmdbd": SLURMDBD,
    "sacct-json": SACCT_JSON,
    "alibaba-gpu": ALIBABA,
    "eagle": EAGLE,
    "cobalt": COBALT,
    "evalys": EVALYS,
    "batsim": BATSIM,
}
