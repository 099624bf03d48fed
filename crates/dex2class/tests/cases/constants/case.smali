.class public LConstants;
.super Ljava/lang/Object;

.field public static n:I

.method public static cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  .registers 4
  new-instance v0, Ljava/lang/StringBuilder;
  invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
  invoke-virtual {v0, p0}, Ljava/lang/StringBuilder;->append(Ljava/lang/Object;)Ljava/lang/StringBuilder;
  const-string v1, "|"
  invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
  invoke-virtual {v0, p1}, Ljava/lang/StringBuilder;->append(Ljava/lang/Object;)Ljava/lang/StringBuilder;
  invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
  move-result-object v0
  return-object v0
.end method

.method public static tAputPhi()[F
  .registers 8
  const/4 v0, 2
  new-array v0, v0, [F
  sget v2, LConstants;->n:I
  const v1, 0x3f800000
  if-eqz v2, :a
  const/4 v1, 0
  :a
  const/4 v3, 1
  aput v1, v0, v3
  aget v4, v0, v3
  aput v4, v0, v2
  return-object v0
.end method

.method public static tConstMany()F
  .registers 8
  const/4 v0, 0
  if-eqz v0, :n
  const/4 v1, 1
  return v1
  :n
  invoke-static {v0, v0}, LConstants;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  const v1, 0x3f800000
  add-float/2addr v1, v0
  add-int v2, v0, v0
  int-to-float v2, v2
  add-float/2addr v1, v2
  return v1
.end method

.method public static tIfEqNull()I
  .registers 8
  const/4 v0, 0
  invoke-static {v0, v0}, LConstants;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v1
  if-eq v0, v1, :a
  if-eq v1, v0, :a
  sget v2, LConstants;->n:I
  if-ne v2, v0, :a
  if-ne v0, v0, :a
  const/4 v0, 1
  :a
  return v0
.end method

.method public static tPhiIntFloat()F
  .registers 8
  sget v4, LConstants;->n:I
  const v0, 0x3f800000
  if-eqz v4, :j
  const v0, 0x40000000
  :j
  move v1, v0
  move v3, v1
  const/4 v0, 0
  const v2, 0x3f800000
  sub-int v2, v1, v2
  if-nez v2, :x
  add-float v3, v3, v1
  return v3
  :x
  return v1
.end method

.method public static tPhiNullInt()Ljava/lang/String;
  .registers 8
  sget v0, LConstants;->n:I
  const/4 v1, 0
  if-eqz v0, :a
  const/4 v2, 5
  add-int v3, v1, v2
  goto :b
  :a
  invoke-static {v1, v1}, LConstants;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v1
  return-object v1
  :b
  const/4 v1, 0
  return-object v1
.end method

.method public static tPhiWide()D
  .registers 9
  sget v0, LConstants;->n:I
  const-wide v2, 0x3ff0000000000000L
  if-nez v0, :a
  const-wide v2, 0x4000000000000000L
  :a
  const-wide v4, 0x3ff0000000000000L
  sub-long v4, v2, v4
  const-wide/16 v6, 0
  cmp-long v1, v4, v6
  if-eqz v1, :b
  add-double/2addr v2, v2
  :b
  return-wide v2
.end method

.method public static tPhiZeroZero()I
  .registers 8
  sget v0, LConstants;->n:I
  const/4 v1, 0
  if-nez v0, :a
  const/4 v1, 0
  :a
  if-eqz v1, :b
  invoke-virtual {v1}, Ljava/lang/Object;->hashCode()I
  :b
  if-nez v1, :c
  add-int/lit8 v1, v1, 3
  :c
  return v1
.end method
