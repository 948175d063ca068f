"use strict";
// Shows the frames of a report: a canvas with play, pause and a slider; spatial scenes can be turned.
(() => {
  document.documentElement.classList.remove("no-script");
  const canvas = document.getElementById("stage");
  if (!canvas) return;
  const element = (id) => document.getElementById(id);
  const scene = JSON.parse(element("scene").textContent);
  const frames = readFrames(element("frames").textContent.trim());
  const [play, slider, clock, speed, forces] = ["play", "slider", "clock", "speed", "forces"].map(element);
  const context = canvas.getContext("2d");
  let place = 0; // frame that is shown, with its fraction
  let playing = false;
  let last = 0;
  let [right, up] = [scene.right, scene.up];

  // Numbers of varying columns are steps of 1/65534 of their range; 65535 stands for "not a number".
  function readFrames(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const [count, width, varying] = new Uint32Array(bytes.buffer, 0, 4);
    let at = 16;
    const take = (Type, length) => {
      const list = new Type(bytes.buffer, at, length);
      at += list.byteLength;
      return list;
    };
    const times = take(Float64Array, count);
    const row = take(Float32Array, width);
    const columns = take(Uint32Array, varying);
    const low = take(Float32Array, varying);
    const step = take(Float32Array, varying);
    const values = take(Uint16Array, count * varying);
    const value = (frame, k) => {
      const v = values[frame * varying + k];
      return v === 65535 ? NaN : low[k] + v * step[k];
    };
    // The row of a frame, or of a place between two.
    const rowAt = (place) => {
      const a = Math.floor(place);
      const b = Math.min(a + 1, count - 1);
      const f = place - a;
      for (let k = 0; k < varying; ++k) row[columns[k]] = f > 0 ? (1 - f) * value(a, k) + f * value(b, k) : value(a, k);
      return row;
    };
    const timeAt = (place) => {
      const a = Math.floor(place);
      const b = Math.min(a + 1, count - 1);
      return times[a] + (place - a) * (times[b] - times[a]);
    };
    const placeAt = (time) => {
      let [low, high] = [0, count - 1];
      if (time >= times[high]) return high;
      while (high - low > 1) {
        const between = (low + high) >> 1;
        if (times[between] <= time) low = between;
        else high = between;
      }
      const step = times[high] - times[low];
      return step > 0 ? low + Math.max(0, time - times[low]) / step : high;
    };
    return { count, times, rowAt, timeAt, placeAt };
  }

  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const unit = (a) => {
    const length = Math.hypot(...a) || 1;
    return a.map((x) => x / length);
  };
  const about = (axis, angle, p) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const [along, side] = [dot(axis, p) * (1 - c), cross(axis, p)];
    return p.map((x, k) => x * c + side[k] * s + axis[k] * along);
  };

  // Matrix and origin of each body, the ground first.
  function posesOf(row) {
    const poses = [[1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]];
    for (const at of scene.bodies) {
      let [x, y, z, w] = [row[at + 3], row[at + 4], row[at + 5], row[at + 6]];
      const n = Math.hypot(x, y, z, w) || 1;
      [x, y, z, w] = [x / n, y / n, z / n, w / n];
      poses.push([
        1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
        2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
        2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y),
        row[at], row[at + 1], row[at + 2],
      ]);
    }
    return poses;
  }
  const turned = (m, [x, y, z]) => [m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z, m[6] * x + m[7] * y + m[8] * z];
  const moved = (m, p) => turned(m, p).map((x, k) => x + m[9 + k]);

  const middle = scene.box[0].map((x, k) => (x + scene.box[1][k]) / 2);
  const size = scene.box[0].map((x, k) => scene.box[1][k] - x);
  const extent = Math.hypot(...size);
  let view; // pixels a metre, and the middle of the canvas

  function measure() {
    const ratio = window.devicePixelRatio || 1;
    const wide = canvas.clientWidth;
    // As wide as the page; planar scenes as high as they are, within reason.
    const shape = scene.planar ? Math.min(Math.max(size[1] / (size[0] || 1), 0.3), 0.75) : 0.62;
    const high = Math.round(wide * shape);
    canvas.style.height = high + "px";
    [canvas.width, canvas.height] = [Math.round(wide * ratio), Math.round(high * ratio)];
    const fit = scene.planar ? Math.min(wide / (size[0] || extent), high / (size[1] || extent)) : (1.1 * Math.min(wide, high)) / extent;
    view = { scale: 0.9 * fit, x: wide / 2, y: high / 2, ratio, wide, high };
  }
  const onScreen = (p) => {
    const q = [p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]];
    return [view.x + view.scale * dot(right, q), view.y - view.scale * dot(up, q)];
  };

  const mixed = (color, other, share) => {
    const parse = (text) => [1, 3, 5].map((k) => parseInt(text.slice(k, k + 2), 16));
    const [a, b] = [parse(color), parse(other)];
    return `rgb(${a.map((x, k) => Math.round(x + share * (b[k] - x))).join(",")})`;
  };

  function trace(points, close) {
    context.beginPath();
    points.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
    if (close) context.closePath();
  }

  function drawPart(part, pose, eye, colors) {
    const mesh = scene.meshes[part.mesh];
    const color = part.color || (part.body ? scene.palette[(part.body - 1) % scene.palette.length] : colors.ground);
    const edge = mixed(color, colors.ink, 0.35);
    context.lineWidth = part.body ? 1.2 : 1;
    context.strokeStyle = mesh.hollow ? color : edge;
    if (mesh.ball) {
      const [x, y] = onScreen(moved(pose, mesh.center));
      context.beginPath();
      context.arc(x, y, mesh.ball * view.scale, 0, 2 * Math.PI);
      if (!mesh.hollow) {
        context.fillStyle = mixed(color, colors.paper, 0.25);
        context.fill();
      }
      context.stroke();
    }
    const world = mesh.points.map((p) => moved(pose, p));
    const screen = world.map(onScreen);
    if (!mesh.ball) {
      for (const face of mesh.faces) {
        let shade = 0.3;
        if (!scene.planar) {
          const [a, b, c] = [world[face[0]], world[face[1]], world[face[2]]];
          const normal = unit(cross(b.map((x, k) => x - a[k]), c.map((x, k) => x - b[k])));
          const facing = dot(normal, eye);
          if (facing <= 0 && !mesh.hollow) continue;
          shade = 0.55 - 0.5 * Math.abs(facing * 0.7 + dot(normal, up) * 0.3);
        }
        trace(face.map((k) => screen[k]), true);
        context.globalAlpha = mesh.hollow ? (scene.planar ? 0 : 0.12) : scene.planar ? 0.8 : 1;
        context.fillStyle = mixed(color, shade > 0.3 && !scene.planar ? "#000000" : colors.paper, scene.planar ? 0.25 : Math.abs(shade - 0.3));
        context.fill();
        context.globalAlpha = 1;
      }
    }
    if (!scene.planar && !mesh.hollow && !mesh.ball) context.globalAlpha = 0.35;
    for (const line of mesh.edges) {
      trace(line.map((k) => screen[k]), false);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  function drawBeam(beam, poses, colors) {
    const points = [];
    beam.elements.forEach(({ length, begin, end }, e) => {
      const [a, b] = [poses[beam.nodes[e]], poses[beam.nodes[e + 1]]];
      const [ta, tb] = [turned(a, begin), turned(b, end)];
      for (let k = e ? 1 : 0; k <= 8; ++k) {
        const s = k / 8;
        const r = 1 - s;
        points.push(onScreen([0, 1, 2].map((i) =>
          r * r * (1 + 2 * s) * a[9 + i] + s * s * (1 + 2 * r) * b[9 + i] + length * (r * r * s * ta[i] - s * s * r * tb[i]))));
      }
    });
    trace(points, false);
    context.lineWidth = Math.max(2.5, Math.min(2 * beam.radius * view.scale, 0.03 * view.wide));
    context.strokeStyle = scene.palette[beam.color];
    context.lineCap = "round";
    context.stroke();
  }

  // From the point of contact along the force on the second body.
  function drawForce(row, at, colors) {
    const force = [row[at + 4], row[at + 5], row[at + 6]];
    const amount = Math.hypot(...force);
    if (!(row[at] > 0.5) || !(amount > 1e-3 * scene.largest_force)) return;
    const from = [row[at + 1], row[at + 2], row[at + 3]];
    const length = (0.22 * extent) / scene.largest_force;
    const [a, b] = [onScreen(from), onScreen(from.map((x, k) => x + length * force[k]))];
    const along = Math.atan2(b[1] - a[1], b[0] - a[0]);
    const head = Math.min(9, Math.hypot(b[0] - a[0], b[1] - a[1]) / 2);
    context.strokeStyle = context.fillStyle = colors.force;
    context.lineWidth = 2;
    trace([a, b], false);
    context.stroke();
    trace([b, ...[2.7, -2.7].map((turn) => [b[0] + head * Math.cos(along + turn), b[1] + head * Math.sin(along + turn)])], true);
    context.fill();
  }

  // A coil between two points of the screen, a spiral about one, or a plain line.
  function springLine(kind, a, b) {
    const wide = Math.min(Math.max(0.022 * extent * view.scale, 3), 9);
    if (kind === "torsion")
      return Array.from({ length: 41 }, (_, k) => {
        const [r, turn] = [1.5 * wide * (0.25 + (0.75 * k) / 40), (5 * Math.PI * k) / 40];
        return [a[0] + r * Math.cos(turn), a[1] - r * Math.sin(turn)];
      });
    if (kind !== "coil") return [a, b];
    const along = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(...along) || 1;
    const at = (share, side) => [
      a[0] + share * along[0] - (side * wide * along[1]) / length,
      a[1] + share * along[1] + (side * wide * along[0]) / length,
    ];
    const teeth = Array.from({ length: 16 }, (_, k) => at(0.14 + (0.72 * (k + 0.5)) / 16, k % 2 ? -1 : 1));
    return [a, at(0.14, 0), ...teeth, at(0.86, 0), b];
  }

  function draw() {
    const style = getComputedStyle(document.documentElement);
    const colors = {};
    for (const name of ["ink", "paper", "ground", "force"]) colors[name] = style.getPropertyValue("--" + name).trim();
    const row = frames.rowAt(place);
    const poses = posesOf(row);
    const eye = cross(right, up);
    context.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    context.clearRect(0, 0, view.wide, view.high);
    let parts = scene.parts;
    if (!scene.planar) {
      const depth = (part) => dot(eye, moved(poses[part.body], scene.meshes[part.mesh].center)) - (scene.meshes[part.mesh].hollow ? 10 * extent : 0);
      parts = parts.map((part) => [depth(part), part]).sort((a, b) => a[0] - b[0]).map(([, part]) => part);
    }
    for (const part of parts) drawPart(part, poses[part.body], eye, colors);
    context.strokeStyle = colors.ground;
    context.lineWidth = 1.5;
    for (const { kind, bodies, points } of scene.springs) {
      trace(springLine(kind, ...points.map((p, k) => onScreen(moved(poses[bodies[k]], p)))), false);
      context.stroke();
    }
    for (const beam of scene.beams) drawBeam(beam, poses, colors);
    context.lineWidth = 1.2;
    context.strokeStyle = colors.ink;
    context.fillStyle = colors.paper;
    for (const [body, ...point] of scene.pins) {
      const [x, y] = onScreen(moved(poses[body], point));
      context.beginPath();
      context.arc(x, y, 3, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    }
    if (!forces || forces.checked) for (const at of scene.contacts) drawForce(row, at, colors);
    clock.textContent = frames.timeAt(place).toPrecision(4) + " s";
    slider.value = String(place);
  }

  function tick(now) {
    if (!playing) return;
    // The speed is that of the simulated time against the clock on the wall.
    place = frames.placeAt(frames.timeAt(place) + ((now - last) / 1000) * Number(speed.value));
    last = now;
    if (place >= frames.count - 1) place = 0;
    draw();
    requestAnimationFrame(tick);
  }
  function setPlaying(on) {
    playing = on && frames.count > 1;
    play.textContent = playing ? "Pause" : "Play";
    last = performance.now();
    if (playing) requestAnimationFrame(tick);
  }

  slider.max = String(frames.count - 1);
  play.addEventListener("click", () => setPlaying(!playing));
  slider.addEventListener("input", () => {
    setPlaying(false);
    place = Number(slider.value);
    draw();
  });
  forces?.addEventListener("change", draw);
  if (!scene.planar) {
    let from = null;
    canvas.addEventListener("pointerdown", (event) => {
      from = [event.clientX, event.clientY];
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!from) return;
      const [dx, dy] = [(event.clientX - from[0]) / 150, (event.clientY - from[1]) / 150];
      from = [event.clientX, event.clientY];
      [right, up] = [about(scene.vertical, -dx, right), about(scene.vertical, -dx, up)];
      up = unit(about(right, -dy, up));
      draw();
    });
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => (from = null));
  }
  const again = () => {
    measure();
    draw();
  };
  window.addEventListener("resize", again);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  again();
})();
