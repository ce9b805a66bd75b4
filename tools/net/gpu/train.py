#!/usr/bin/env python3
"""Trains nets on a GPU, from the samples that `net samples` writes; `net weights` makes a net of the result.

It needs PyTorch with Triton. Loss, optimiser, bounds and learning rate are as in `net train`. The matrices are
half precision: one of features, with ones where a feature is active and at the bias, times the feature weights.
All samples are in the memory of the GPU, 136 bytes each in chess.
"""
import argparse
import json
import math
import os
import struct
import time

import numpy as np
import torch
import triton
import triton.language as tl

SCALE = 32.0  # of the gradients, in half precision
BETA1, BETA2 = 0.9, 0.999
QA = 255  # of the quantised net, in which a feature weight of 1 is QA


@triton.jit
def set_features(samples, batch, x, width, inputs, stride, ACTIVE: tl.constexpr, BLOCK: tl.constexpr):
    """Sets row r of x: the features of side r%2 of sample r//2 of a batch, and the bias."""
    r, j = tl.program_id(0), tl.arange(0, BLOCK)
    sample = tl.load(batch + r // 2)
    f = tl.load(samples + sample * width + r % 2 * ACTIVE + j, mask=j < ACTIVE, other=32767).to(tl.int32)
    one = tl.full((BLOCK,), 1.0, tl.float16)
    tl.store(x + r * stride + f, one, mask=f < inputs)
    tl.store(x + r * stride + inputs + j, one, mask=j < 1)


@triton.jit
def output(acc, samples, batch, weights, bias, delta, squares, slopes, loss, k, scale, width, at, target,
           SIZE: tl.constexpr, BUCKETS: tl.constexpr, BLOCK: tl.constexpr):
    """From the accumulators of sample r of a batch: the loss, and its derivatives by accumulators and output."""
    r, j, n = tl.program_id(0), tl.arange(0, BLOCK), tl.arange(0, BUCKETS)
    ok = j < SIZE
    tail = samples + tl.load(batch + r) * width + at
    score, bucket = tl.load(tail + target).to(tl.float32), tl.load(tail + 2).to(tl.int32)
    a = tl.load(acc + r * SIZE + j, mask=ok, other=0.0).to(tl.float32)
    w = tl.load(weights + bucket * SIZE + j, mask=ok, other=0.0)
    c = tl.minimum(tl.maximum(a, 0.0), 1.0)
    p = 1 / (1 + tl.exp(-tl.sum(c * c * w, 0) - tl.load(bias + bucket)))
    error = p - 1 / (1 + tl.exp(-score / k))
    slope = 2 * error * p * (1 - p) * scale
    tl.store(squares + r * SIZE + j, (c * c).to(tl.float16), mask=ok)
    tl.store(delta + r * SIZE + j, tl.where(a < 1, 2 * slope * w * c, 0.0).to(tl.float16), mask=ok)
    tl.store(slopes + r * BUCKETS + n, tl.where(n == bucket, slope, 0.0).to(tl.float16))
    tl.store(loss + r, error * error)


@triton.jit
def adam(weights, mean, square, gradient, half, rates, n, scale, bound, beta1, beta2, HALF: tl.constexpr,
         BLOCK: tl.constexpr):
    """A step of AdamW; the feature weights are also written in half precision."""
    j = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = j < n
    rate, correction, decay = tl.load(rates), tl.load(rates + 1), tl.load(rates + 2)
    g = tl.load(gradient + j, mask=ok, other=0.0).to(tl.float32) * scale
    m, s = tl.load(mean + j, mask=ok, other=0.0), tl.load(square + j, mask=ok, other=0.0)
    m += (1 - beta1) * (g - m)
    s += (1 - beta2) * (g * g - s)
    w = tl.load(weights + j, mask=ok, other=0.0)
    w -= rate * m / (tl.sqrt(s) * correction + 1e-8) + decay * w
    w = tl.minimum(tl.maximum(w, -bound), bound)
    tl.store(mean + j, m, mask=ok)
    tl.store(square + j, s, mask=ok)
    tl.store(weights + j, w, mask=ok)
    if HALF:
        tl.store(half + j, w.to(tl.float16), mask=ok)


def bounds(shape):
    """The bounds of feature weights, output weights and output biases, as in train.bounds."""
    return min(2 * QA, 32767 // (shape["Active"] + 1)) / QA, 2.0, 100.0


def read_head(f, kind):
    """The header of a file, which is then read to where the numbers begin."""
    magic, version, length = struct.unpack("<16sII", f.read(24))
    if magic != b"TREFOIL\n" + kind.ljust(8, b"\0") or version != 1:
        raise SystemExit(f"{f.name}: not a file of {kind.decode()} of version 1")
    return json.loads(f.read(length))


class Samples:
    """The samples of some files of one shape."""

    def __init__(self, names):
        heads, maps = [], []
        for name in names:
            with open(name, "rb") as f:
                heads.append(read_head(f, b"samples"))
                maps.append((f.tell(), name))
        self.head = heads[0]
        if any(head != self.head for head in heads):
            raise SystemExit("the files of samples differ in shape, K or lambda")
        self.active = self.head["Shape"]["Active"]
        self.width = 2 * self.active + 4
        maps = [np.memmap(name, dtype="<i2", mode="r", offset=at).reshape(-1, self.width) for at, name in maps]
        self.rows = torch.empty((sum(map(len, maps)), self.width), dtype=torch.int16, device="cuda")
        held, at, step = [], 0, 1 << 20
        for m in maps:
            for i in range(0, len(m), step):
                part = np.array(m[i:i + step])
                self.rows[at:at + len(part)] = torch.from_numpy(part).cuda()
                held.append(self.rows[at:at + len(part), -1].clone())
                at += len(part)
        held = torch.cat(held)
        self.train, self.held = (torch.nonzero(held == v).squeeze(1) for v in (0, 1))


class Trainer:
    """The weights of a net in training: features and bias [Inputs+1][Hidden], output weights, output biases."""

    def __init__(self, samples, hidden, batch, target, seed):
        shape = dict(samples.head["Shape"], Hidden=hidden)
        self.samples, self.shape, self.batch, self.target = samples, shape, batch, target
        inputs, buckets = shape["Inputs"], shape["Buckets"]
        self.sizes = [(inputs + 1) * hidden, buckets * 2 * hidden, buckets]
        self.stride = (inputs + 8) // 8 * 8
        gpu, half = dict(device="cuda"), dict(device="cuda", dtype=torch.float16)
        self.weights, self.mean, self.square = torch.zeros((3, sum(self.sizes)), **gpu)
        random = torch.Generator("cuda").manual_seed(seed)
        for part, n, limit in zip(self.parts(self.weights), (inputs * hidden, 2 * buckets * hidden),
                                  (shape["Active"], 2 * hidden)):
            part[:n] = (2 * torch.rand(n, generator=random, **gpu) - 1) / math.sqrt(limit)
        self.indices, self.rates = torch.zeros(batch, dtype=torch.int64, **gpu), torch.zeros(3, **gpu)
        self.x = torch.zeros((2 * batch, self.stride), **half)
        self.features = torch.zeros((self.stride, hidden), **half)
        self.delta, self.squares = torch.zeros((2, batch, 2 * hidden), **half)
        self.slopes, self.loss = torch.zeros((batch, buckets), **half), torch.zeros(batch, **gpu)
        self.sum = torch.zeros((), **gpu)

    def parts(self, values):
        return values.split(self.sizes)

    def set(self, weights):
        """Sets the weights and begins the optimiser anew."""
        self.weights.copy_(weights)
        self.features.view(-1)[:self.sizes[0]] = self.parts(self.weights)[0]
        for t in self.mean, self.square, self.sum:
            t.zero_()

    def forward(self, batch):
        n, s, size = len(batch), self.samples, 2 * self.shape["Hidden"]
        x = self.x[:2 * n].zero_()
        set_features[(2 * n,)](s.rows, batch, x, s.width, self.shape["Inputs"], self.stride, ACTIVE=s.active,
                               BLOCK=triton.next_power_of_2(s.active), num_warps=1)
        acc = torch.mm(x, self.features)
        _, weights, bias = self.parts(self.weights)
        output[(n,)](acc, s.rows, batch, weights, bias, self.delta, self.squares, self.slopes, self.loss,
                     s.head["K"], SCALE, s.width, 2 * s.active, self.target, SIZE=size,
                     BUCKETS=self.shape["Buckets"], BLOCK=triton.next_power_of_2(size), num_warps=4)

    def step(self):
        self.forward(self.indices)
        self.sum += self.loss.mean()
        gradients = (torch.mm(self.x.t(), self.delta.view(2 * self.batch, -1)),
                     torch.mm(self.slopes.t(), self.squares), self.slopes.sum(0, dtype=torch.float32))
        columns = zip(*map(self.parts, (self.weights, self.mean, self.square)), gradients, bounds(self.shape))
        for k, (weights, mean, square, gradient, bound) in enumerate(columns):
            adam[(triton.cdiv(len(weights), 1024),)](weights, mean, square, gradient, self.features, self.rates,
                                                     len(weights), 1 / (self.batch * SCALE), bound, BETA1, BETA2,
                                                     HALF=k == 0, BLOCK=1024)

    def measure(self, batches):
        """The mean loss of whole batches, NaN if there are none."""
        total = 0.0
        for batch in batches:
            self.forward(batch)
            total += self.loss.mean()
        return float(total) / len(batches) if batches else math.nan

    def train(self, passes, rate, final, warmup, decay, seconds):
        count, b = len(self.samples.train), self.batch
        if passes * count < b or count < b:
            raise SystemExit(f"{passes:g} passes over {count} positions are less than a batch of {b}")
        k = np.arange(int(passes * count / b), dtype=np.float64)
        done = np.clip((k - warmup) / max(1, len(k) - warmup), 0, 1)
        cosine = final + (1 - final) * (1 + np.cos(np.pi * done)) / 2
        rates = rate * np.where(k < warmup, (k + 1) / (warmup + 1), cosine)
        table = np.stack([rates / (1 - BETA1 ** (k + 1)), 1 / np.sqrt(1 - BETA2 ** (k + 1)), rates * decay], 1)
        table = torch.tensor(table, dtype=torch.float32, device="cuda")
        held = [h for h in self.samples.held[::max(1, len(self.samples.held) // 400000)].split(b) if len(h) == b]
        start, graph, stream = self.weights.clone(), torch.cuda.CUDAGraph(), torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                self.step()  # compiles
        torch.cuda.current_stream().wait_stream(stream)
        with torch.cuda.graph(graph):
            self.step()
        self.set(start)
        at, since, then = count, 0, time.time()
        for step in range(len(k)):
            if at + b > count:
                order, at = self.samples.train[torch.randperm(count, device="cuda")], 0
            self.indices.copy_(order[at:at + b])
            self.rates.copy_(table[step])
            graph.replay()
            at += b
            if step % 200 == 199:
                torch.cuda.current_stream().synchronize()
            if step + 1 == len(k) or step % 200 == 199 and time.time() > then + seconds:
                loss = float(self.sum) / (step + 1 - since)
                if not math.isfinite(loss):
                    raise SystemExit(f"the training diverged before step {step + 1}")
                speed = (step + 1 - since) * b / (time.time() - then)
                print(f"{step + 1:8} {(step + 1) * b:14} {speed:12.0f} {loss:12.6f} {self.measure(held):12.6f} "
                      f"{rates[step]:10.2e}", flush=True)
                self.sum.zero_()
                since, then = step + 1, time.time()

    def save(self, name, trained):
        head = json.dumps({"Shape": self.shape, "K": self.samples.head["K"], "Trained": trained}).encode()
        with open(name + ".part", "wb") as f:
            f.write(struct.pack("<16sII", b"TREFOIL\nweights\0", 1, len(head)) + head)
            f.write(self.weights.cpu().numpy().astype("<f4").tobytes())
        os.replace(name + ".part", name)


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("-o", required=True, metavar="FILE", help="write the weights to FILE")
    flags.add_argument("-from", dest="begin", metavar="FILE", help="begin with the weights in FILE, of the same shape")
    flags.add_argument("-hidden", type=int, default=512, help="neurons of an accumulator, a multiple of 32")
    flags.add_argument("-target", choices=("score", "return"), default="score", help="learn the score or the λ-return")
    flags.add_argument("-passes", type=float, default=12)
    flags.add_argument("-batch", type=int, default=8192)
    flags.add_argument("-rate", type=float, default=0.0014)
    flags.add_argument("-final", type=float, default=0.01)
    flags.add_argument("-warmup", type=int, default=400)
    flags.add_argument("-decay", type=float, default=0.01)
    flags.add_argument("-seed", type=int, default=1)
    flags.add_argument("-seconds", type=float, default=20, help="seconds between two reports")
    flags.add_argument("samples", nargs="+", metavar="FILE")
    a = flags.parse_args()
    samples = Samples(a.samples)
    trainer = Trainer(samples, a.hidden, a.batch, ("score", "return").index(a.target), a.seed)
    if a.begin:
        with open(a.begin, "rb") as f:
            head = read_head(f, b"weights")
            if head["Shape"] != trainer.shape or head["K"] != samples.head["K"]:
                raise SystemExit(f"{a.begin}: shape {head['Shape']}, K {head['K']}, "
                                 f"want {trainer.shape}, {samples.head['K']}")
            trainer.set(torch.from_numpy(np.frombuffer(f.read(), "<f4").copy()).cuda())
    torch.manual_seed(a.seed)
    print(f"{len(samples.train)} positions to train on, {len(samples.held)} held out, {samples.head}", flush=True)
    print(f"{'step':>8} {'positions':>14} {'positions/s':>12} {'loss':>12} {'held out':>12} {'rate':>10}", flush=True)
    trainer.train(a.passes, a.rate, a.final, a.warmup, a.decay, a.seconds)
    trained = (f"{a.passes:g} passes over {len(samples.train)} positions, batch {a.batch}, target {a.target}, "
               f"{samples.head['Trained']}, rate {a.rate:g}, seed {a.seed}, on a GPU")
    trainer.save(a.o, trained + (f", from {os.path.basename(a.begin)}" if a.begin else ""))


if __name__ == "__main__":
    main()
